import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { uid, until, useHarness } from './browser.ts';
import { guard } from './xss-page.ts';
import { addresses, html } from './xss-payloads.ts';

/*
 * Payloads go through the real server as texts of authors, properties and answers, and a page shows and uses them as
 * users do. The security policy of the page only reports, so that the test also sees what the policy would block. One
 * Experience has a step for each payload, because walking through steps needs no request.
 */

const payloads = [...html, ...addresses];
const MAX_STEPS = 100;

/** A step or an item: the number of its payloads, and the texts that users see, the title first. */
interface Part {
  fields: object;
  evil: number;
  words?: string[];
  /** What the user types into it. */
  input?: string;
}

const harness = useHarness();
/** How many payloads the server accepted in each test, and how many it rejected. A repeated test counts once. */
const counts = new Map<string, { accepted: number; rejected: number }>();
let count: { accepted: number; rejected: number };
/** Dialogs that opened and requests that left the allowed origins. */
const leaks: string[] = [];
beforeEach(async ({ task }) => {
  count = { accepted: 0, rejected: 0 };
  counts.set(task.name, count);
});

/** Returns the findings of a page, after the time in which delayed code would have run. */
async function findingsOf(page: Page): Promise<string[]> {
  await page.evaluate(() => fetch('/last'));
  return page.evaluate(() => {
    window.xss.look();
    return window.xss.wrong;
  });
}
const pages: Page[] = [];
afterEach(async () => {
  const found: string[] = [];
  for (const page of pages.splice(0)) {
    found.push(...(await findingsOf(page)));
    await page.context().close();
  }
  expect([found, leaks.splice(0)]).toEqual([[], []]);
});

/** A page of a customer with an element for each payload, and one that contains them all. */
async function open(calls = identify(uid), language = 'en'): Promise<Page> {
  const context = await harness.browser.newContext({ locale: language, reducedMotion: 'reduce' });
  await context.addInitScript(guard);
  context.on('dialog', (dialog) => {
    leaks.push(dialog.message());
    void dialog.dismiss();
  });
  const own = [harness.proxyUrl, harness.pagesUrl, harness.api.url];
  context.on('request', (request) => {
    if (!own.some((origin) => request.url().startsWith(`${origin}/`))) leaks.push(request.url());
  });
  const policy = [
    ...["default-src 'none'", "script-src 'nonce-abc'", `connect-src 'self' ${harness.proxyUrl}`, "img-src 'self'"],
    ...["base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'", 'trusted-types usher'],
  ].join('; ');
  const words = payloads.map((one) => one.replaceAll('&', '&amp;').replaceAll('<', '&lt;')).join(' ');
  const slots = payloads.map((_, index) => `<div id=slot${index}>Slot</div>`).join('');
  const site = {
    ...{ nonce: 'abc', headers: { 'Content-Security-Policy-Report-Only': policy }, calls },
    body: `<div id=slot>${words}</div><div id=host>Host</div>${slots}`,
  };
  const page = await harness.open(site, { context });
  await page.evaluate(() => document.querySelector('#host')?.attachShadow({ mode: 'open' }).append('Inside'));
  pages.push(page);
  return page;
}

/** Returns code for a page that identifies the user, escaped for HTML. */
function identify(who: string, properties: object = {}): string {
  return `usher.identify(${JSON.stringify([who, properties]).slice(1, -1).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028')})`;
}

/** Creates as many Experiences as necessary, without the parts that the server rejects. */
async function author(
  kind: 'tour' | 'survey' | 'launcher' | 'embed',
  parts: Part[],
  fields: object = {},
): Promise<{ id: string; parts: Part[] }[]> {
  const list = kind === 'launcher' ? 'items' : 'steps';
  const made = [];
  for (let at = 0; at < parts.length; at += MAX_STEPS) {
    const some = parts.slice(at, at + MAX_STEPS);
    const { id } = await harness.create(kind, { ...fields, [list]: some.map((one) => one.fields), published_at: null });
    const { status, body } = await harness.api.patch(`/v3/edit/${kind}s/${id}`, { published_at: '$now' });
    const rejected = new Set<number>();
    for (const message of body.messages ?? []) rejected.add(Number(/^(?:Step|Item) (\d+)/.exec(message)?.[1]) - 1);
    const kept = some.filter((_, index) => !rejected.has(index));
    expect([status, some.length - kept.length]).toEqual([rejected.size > 0 ? 422 : 200, rejected.size]);
    count.rejected += sum(some) - sum(kept);
    count.accepted += sum(kept);
    if (kept.length === 0) continue;
    if (rejected.size > 0) {
      const rest = { [list]: kept.map((one) => one.fields), published_at: '$now' };
      expect((await harness.api.patch(`/v3/edit/${kind}s/${id}`, rest)).status).toBe(200);
    }
    made.push({ id, parts: kept });
  }
  return made;
}
const sum = (parts: readonly Part[]) => parts.reduce((all, { evil }) => all + evil, 0);

/** Runs in the page: goes through the steps, checks and uses each, and returns what was missing. */
async function walk(steps: { words: string[]; input?: string }[]): Promise<string[]> {
  const { xss } = window;
  const missing: string[] = [];
  const all = () => xss.inside();
  for (const { words, input } of steps) {
    const title = () => all().find((one) => one.matches('.title'))?.textContent;
    for (let frames = 0; title() !== words[0]; frames++) {
      if (frames > 300) return [...missing, `${words[0]} (there is: ${title()})`];
      await new Promise(requestAnimationFrame);
    }
    const box = () => all().find((one) => one.matches('.box')) as HTMLElement;
    const texts = all().flatMap((one) => [one.textContent ?? '', one.getAttribute('placeholder') ?? '']);
    missing.push(...words.filter((one) => !texts.some((text) => text.includes(one))));
    xss.look();
    xss.use();
    const select = box().querySelector('select');
    if (select) {
      select.selectedIndex = select.options.length - 1;
      select.dispatchEvent(new Event('change', { bubbles: true }));
    }
    const field = box().querySelector<HTMLInputElement>('input,textarea');
    if (field && input !== undefined) field.value = input;
    xss.look();
    const button = box().querySelector<HTMLElement>('.act.first') ?? box().querySelector<HTMLElement>('.act');
    (button ?? (box().querySelector('.x') as HTMLElement)).click();
    xss.look();
  }
  return missing;
}
async function walkThrough(page: Page, parts: readonly Part[]): Promise<void> {
  const steps = parts.map(({ words = [], input }) => ({ words, ...(input !== undefined && { input }) }));
  expect(await page.evaluate(walk, steps)).toEqual([]);
}
function show(page: Page, id: string, options: object): Promise<void> {
  return page.evaluate(
    ({ id, options }) => (window as unknown as { usher: { show(...args: unknown[]): void } }).usher.show(id, options),
    { id, options },
  );
}
async function showAll(page: Page, made: { id: string; parts: Part[] }[], options: object = {}): Promise<void> {
  for (const { id, parts } of made) {
    await show(page, id, options);
    await walkThrough(page, parts);
  }
}

/** A selector that contains the payload and matches this element. */
const selectorWith = (payload: string, other: string) =>
  `[title="${payload.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\a ')}"], ${other}`;

describe('hostile texts through a real server', () => {
  it('stay plain text in the texts, selectors and actions of a tour', async () => {
    const parts = payloads.map((evil, at): Part => {
      const words = [`${evil} title ${at}`, `${evil} dismiss ${at}`, `${evil} button ${at}`];
      const [title, dismiss_text, text] = words;
      const button = {
        ...{ text, tour_action: 'next', additional_actions: ['property', 'tag_user', 'element_click'] },
        ...{ action_property: `${evil} ${at}`, action_value: evil, action_tag: evil },
        action_element: { selector: selectorWith(evil, '#slot'), text: evil },
      };
      const fields = {
        ...{ title, dismiss_text, body: `${evil}\n\n> ${evil}\n\n- ${evil}\n\n[${evil}](/x "${evil}")` },
        ...{ buttons: [button], position_type: 'snap_to_element' },
        elements: [
          { selector: selectorWith(evil, '#host'), shadow_selector: selectorWith(evil, '#none'), text: evil },
          { selector: selectorWith(evil, '#slot'), text: evil },
        ],
      };
      return { fields, evil: 18, words };
    });
    const made = await author('tour', parts, { style: 'manual', name: payloads[0], goal: payloads[1] });
    const page = await open();
    await showAll(page, made, { skip_triggers: false });
    await until(async () => {
      const { profile } = (await harness.api.get('/v3/analyze/profile', { query: `uid=${encodeURIComponent(uid)}` }))
        .body;
      const values = Object.values(profile);
      return payloads.filter((one) => !values.includes(one) && !values.includes(one.trim()));
    }).toEqual([]);
  });

  it('are rejected or have no effect as addresses, URL patterns and selectors', async () => {
    const parts = payloads.flatMap((evil, at) => {
      const step = (name: string, fields: object, evils = 1): Part => ({
        fields: { title: `${name} ${at}`, ...fields },
        evil: evils,
        words: [`${name} ${at}`],
      });
      const next = { text: 'Go', tour_action: 'next', additional_actions: ['cta_url'] };
      const url = (match_type: string) => ({ quantifier_urls: [{ url: evil, match_type }, { url: '/*' }] });
      return [
        step('Address', { buttons: [{ ...next, action_url: evil }] }),
        step('Window', { buttons: [{ ...next, action_url: evil, action_new_window: true }] }),
        step('End', { buttons: [{ ...next, action_url: `/x?y=${evil}` }] }),
        step('Link', { body: `[Go](${evil}) [Go](<${evil}>) <${evil}>` }, 3),
        step('Simple', url('simple')),
        step('Exact', url('exact')),
        step('Regex', url('regex')),
        step('Selector', { position_type: 'snap_to_element', elements: [{ selector: evil }, { selector: '#slot' }] }),
        step('Text', { position_type: 'snap_to_element', elements: [{ text: evil }] }),
      ];
    });
    const made = await author('tour', parts, { style: 'manual' });
    const items = payloads
      .flatMap((evil) => [evil, `/x?y=${evil}`])
      .map((url) => ({ fields: { title: url, url }, evil: 1 }));
    const [list] = await author('launcher', items, { title: 'List' });
    const page = await open();
    await showAll(page, made);
    await page.locator('.open').waitFor();
    const shown = await page.evaluate((length) => {
      const all = (name: string) => window.xss.inside().filter((one) => one.matches(name));
      const shown: number[] = [];
      for (let at = 0; at < length; at++) {
        all('.open')[0]?.click();
        shown.push(all('.go').length);
        all('.go')[at]?.click();
        window.xss.look();
      }
      return shown;
    }, list?.parts.length ?? 0);
    expect(new Set(shown)).toEqual(new Set([list?.parts.length]));
    // Navigates to a URL that the pattern matches.
    const patterns = made.flatMap((one) => one.parts).filter(({ words }) => /^(Simple|Exact)/.test(words?.[0] ?? ''));
    for (const { fields } of patterns) {
      const { quantifier_urls } = fields as { quantifier_urls: object[] };
      const { id } = await harness.createTour([{ title: 'There', quantifier_urls: quantifier_urls.slice(0, 1) }]);
      const response = page.waitForResponse(/shows/);
      await show(page, id, { redirect: true });
      await response;
    }
    count.accepted += patterns.length;
    await until(() => page.evaluate(() => window.xss.went.length)).toBeGreaterThan(patterns.length);
  });

  it('stay plain text in questions, options and answers', async () => {
    const parts = payloads.flatMap((evil, at): Part[] => {
      const texts = (name: string) => ({ title: `${evil} ${name} ${at}`, dismiss_text: `${evil} dismiss ${at}` });
      const list = { dropdown_items: [`${evil} item`], other_text: `${evil} other`, placeholder: `${evil} choose` };
      const ends = { label_low: `${evil} low`, label_high: `${evil} high` };
      const buttons = [{ text: `${evil} yes` }, { text: `${evil} no` }];
      const question = (name: string, preset: string, fields: object, evils: number, input?: string): Part => ({
        fields: { ...texts(name), preset, ...fields },
        evil: evils,
        words: [...Object.values(texts(name)), ...wordsIn(fields)],
        ...(input !== undefined && { input }),
      });
      return [
        question('list', 'survey_dropdown', list, 6, evil),
        question('field', 'survey_input', { placeholder: `${evil} write` }, 4, evil),
        question('scale', 'survey_nps', ends, 4),
        question('buttons', 'survey_two', { buttons }, 4),
      ];
    });
    const made = await author('survey', parts, { style: 'manual' });
    const page = await open();
    await showAll(page, made);
    const answers = payloads.flatMap((evil) => [evil.replaceAll('\n', '').trim(), evil.trim()]);
    const inputs = async () => {
      const found: string[] = [];
      for (const { id } of made) {
        const { body } = await harness.api.get('/v3/analyze/responses', { query: `id=${id}&limit=500` });
        for (const { answers } of body.responses)
          for (const { input_text, other_text } of answers)
            if (input_text !== null || other_text !== null) found.push(input_text ?? other_text);
      }
      return found.sort();
    };
    await until(inputs).toEqual(answers.sort());
    // A person who opens the response of the server sees plain text.
    const { account_secret } = harness.api.account;
    const document = await page.context().newPage();
    for (const { id } of made) {
      await document.goto(
        `${harness.api.url}/v3/analyze/responses?id=${id}&limit=500&account_secret=${account_secret}`,
      );
      const found = await document.evaluate(() => [window.document.contentType, window.pwned, window.xss.wrong]);
      expect(found).toEqual(['application/json', undefined, []]);
    }
  });

  it('stay plain text in launchers, tooltips and embeds', async () => {
    const items = payloads.map((evil, at) => ({
      fields: { title: `${evil} item ${at}`, description: `${evil} ${evil}`, url: '/x' },
      evil: 3,
    }));
    const steps = payloads.map((evil, at): Part => {
      const words = [`${evil} embed ${at}`, `${evil} button ${at}`];
      const [title, text] = words;
      const elements = [{ selector: selectorWith(evil, '#slot'), text: evil }];
      return {
        fields: { title, body: evil, position_type: 'inline', elements, buttons: [{ text, tour_action: 'next' }] },
        ...{ evil: 5, words },
      };
    });
    const [list] = await author('launcher', items, { title: 'List', screen_position: 'top' });
    const [embed] = await author('embed', steps);
    for (const [at, evil] of payloads.entries()) {
      const texts = { title: `${evil} list ${at}`, description: evil, empty_state_content: `${evil} empty ${at}.` };
      const nothing = [{ title: 'Nowhere', url: '{{nowhere}}' }];
      const tab = { trigger_type: 'tab', trigger_text: `${evil} tab`, trigger: evil };
      const element = { trigger_type: 'element', trigger: selectorWith(evil, `#slot${at}`) };
      await harness.create('launcher', { ...texts, items: nothing, name: evil, ...(at % 2 ? tab : element) });
      const tip = { title: `${evil} tip ${at}`, body: evil, position_type: 'inline' };
      await harness.create('tooltip', {
        steps: [{ ...tip, elements: [{ selector: selectorWith(evil, `#slot${at}`) }] }],
      });
      count.accepted += at % 2 ? 9 : 8;
    }
    const page = await open();
    await page
      .locator('.hint')
      .nth(payloads.length - 1)
      .waitFor({ timeout: 60_000 });
    await walkThrough(page, embed?.parts ?? []);
    const shown = await page.evaluate(async (length) => {
      const { xss } = window;
      const read = () => {
        xss.look();
        xss.use();
        return xss.inside().find((one) => one.matches('.box'))?.textContent;
      };
      const shown: unknown[] = [];
      const press = (element: HTMLElement) => {
        element.click();
        shown.push(read());
        element.click();
      };
      const findAll = (selector: string) => xss.inside().filter((one) => one.matches(selector));
      for (const one of findAll('.open')) press(one);
      for (const one of findAll('.hint')) {
        one.dispatchEvent(new FocusEvent('focusin'));
        shown.push(read());
        document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
      }
      for (let at = 0; at < length; at += 2) press(document.querySelector(`#slot${at}`) as HTMLElement);
      return shown;
    }, payloads.length);
    const words = payloads.flatMap((evil, at) => [`${evil} list ${at}`, `${evil} tip ${at}`, `empty ${at}.`]);
    words.push(...(list?.parts ?? []).map(({ fields }) => (fields as { title: string }).title));
    expect(words.filter((one) => !shown.some((text) => String(text).includes(one)))).toEqual([]);
    // This test creates and opens more than a hundred Experiences.
  }, 90_000);

  it('stay plain text as properties of a user or Company, and as options of a Delivery', async () => {
    const known = Object.fromEntries(payloads.map((evil, at) => [`evil_${at}`, evil]));
    const parts = payloads.map((evil, at): Part => {
      const name = `evil_${at}`;
      // An image of another host may be loaded, which the policy of this page would report.
      const isImage = !/^(https:|\/\/)/.test(evil);
      const fields = {
        title: `{{${name}}} {{company.${name}}} {{delivery "${name}"}} ${at}`,
        body: `**{{${name}}}** [Go]({{${name}}}) [Go]({{delivery "${name}"}}) ${isImage ? `![x]({{${name}}})` : ''}`,
        buttons: [
          {
            ...{ text: `{{delivery "${name}"}} button`, tour_action: 'next', additional_actions: ['cta_url'] },
            action_url: at % 2 ? `{{${name}}}` : `{{delivery "${name}"}}`,
          },
        ],
      };
      return { fields, evil: isImage ? 9 : 8, words: [`${evil} ${evil} ${evil} ${at}`, `${evil} button`] };
    });
    const [tour] = await author('tour', parts, { style: 'manual' });
    await harness.createProfile(uid);
    await harness.createDelivery(uid, tour?.id ?? '', { options: known });
    const keys = Object.fromEntries(payloads.map((evil) => [evil, evil]));
    await harness.api.post('/v3/observe/hooks/companies', { uid: payloads[0], ...keys, ...known });
    const page = await open(identify(uid, { ...keys, ...known, company: { uid: payloads[0] } }));
    await walkThrough(page, tour?.parts ?? []);
    await showAll(page, tour ? [tour] : [], { options: known });
  });

  it('stay plain text in translations', async () => {
    const parts = payloads.map((evil, at): Part => {
      const words = [`Title ${at}`, `Button ${at}`, `Dismiss ${at}`];
      const [title, text, dismiss_text] = words;
      const buttons = [{ text, tour_action: 'next' }];
      return {
        fields: { title, dismiss_text, body: `Body ${at}`, buttons },
        evil: 4,
        words: words.map((one) => evil + one),
      };
    });
    const [tour] = await author('tour', parts, { style: 'manual' });
    const { text: file } = await harness.api.get(`/v3/edit/tours/${tour?.id}/i18n.json`);
    const translated = JSON.stringify({ ...JSON.parse(file), language: { code: 'de' } }, (key, value) =>
      key === 'text' ? payloads[Number(value.split(' ')[1])] + value : value,
    );
    const form = new FormData();
    form.append('file', new Blob([translated]), 'de.json');
    expect((await harness.api.post('/v3/edit/i18n', form)).status).toBe(200);
    await harness.api.patch(`/v3/edit/tours/${tour?.id}`, { published_at: '$now' });
    await showAll(await open(identify(uid), 'de-DE'), tour ? [tour] : []);
  });

  it('stay plain text as names of users, events and Tags', async () => {
    const tag_ids: string[] = [];
    for (const [at, name] of payloads.entries())
      tag_ids.push((await harness.api.post('/v3/edit/tags', { name, uid: `evil_${at}` })).body.tag.id);
    await harness.createTour([{ title: 'Hi {{uid}}' }], { repeat_days: 0, tag_ids });
    const page = await open('');
    const missing = await page.evaluate(async (all) => {
      const { usher, xss } = window as unknown as { usher: Record<string, (...args: unknown[]) => void> } & Window;
      for (const evil of all) {
        usher.identify?.(evil);
        usher.track?.(evil, { [evil]: evil });
        const title = () => xss.inside().find((one) => one.matches('.title'))?.textContent;
        for (let frames = 0; title() !== `Hi ${evil}`; frames++) {
          if (frames > 300) return [evil, title()];
          await new Promise(requestAnimationFrame);
        }
        xss.look();
      }
      return [];
    }, payloads);
    expect(missing).toEqual([]);
    count.accepted += payloads.length * 4 + tag_ids.length;
    await until(() => harness.received.filter(({ path }) => path.endsWith('/events')).length).toBe(payloads.length);
  });

  it('were tested in thousands of places', () => {
    const total = (of: 'accepted' | 'rejected') => [...counts.values()].reduce((sum, one) => sum + one[of], 0);
    expect([total('accepted'), total('rejected')]).toEqual([3792, 394]);
  });
});

function wordsIn(fields: object): string[] {
  return Object.values(fields).flatMap((one) => (typeof one === 'string' ? one : wordsIn(one)));
}
