import {
  type Content,
  contentByLanguage,
  type Document,
  type ExperienceKind,
  type PageUser,
  writeDocument,
} from '@usher/domain';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWorld, type World } from './browser.ts';
import { openPage, startBrowser } from './kinds-page.ts';
import { addresses, html } from './xss-payloads.ts';

/* Where in an Experience somebody can write, with `EVIL` for what they write. */

interface Field {
  kind: ExperienceKind;
  given: object;
  /** What the user, the Delivery and the translation say. */
  custom?: object;
  options?: object;
  translated?: true;
  /** Not a text that is shown as it is written. */
  isOther?: true;
}
const step = (given: object, kind: ExperienceKind = 'tour', more: object = {}): Field => ({
  kind,
  given: { steps: [{ title: 'Step', ...given }], ...more },
});
const body = (text: string, given: Partial<Field> = {}): Field => ({
  ...step({ body: text }),
  isOther: true,
  ...given,
});
const other = (field: Field): Field => ({ ...field, isOther: true });
const button = (given: object): Field =>
  other(step({ buttons: [{ text: 'Go', additional_actions: ['cta_url'], ...given }] }));
const at = { position_type: 'snap_to_element' };
const inline = { position_type: 'inline', elements: [{ selector: '#slot' }] };
const launcher = (given: object): Field => ({
  kind: 'launcher',
  given: { title: 'Help', items: [{ title: 'Item', url: '/x' }], ...given },
});

const fields: Record<string, Field> = {
  'the title of a step': step({ title: 'EVIL' }),
  'what dismisses a step': step({ dismiss_text: 'EVIL' }),
  'the text of a button': step({ buttons: [{ text: 'EVIL' }] }),
  Markdown: body('EVIL'),
  'a block of Markdown': body('> EVIL\n\n- EVIL\n\n# EVIL'),
  'code in Markdown': body('```\nEVIL\n```'),
  'a link': body('[Go](EVIL)'),
  'a link in brackets': body('[Go](<EVIL>)'),
  'a link by reference': body('[Go][1]\n\n[1]: EVIL'),
  'a link of its own': body('<EVIL>'),
  'the words of a link': body('[EVIL](/x)'),
  'the title of a link': body('[Go](/x "EVIL")'),
  'an image': body('![Picture](EVIL)'),
  'the caption of an image': body('![EVIL](/x.png)'),
  'the title of an image': body('![Picture](/x.png "EVIL")'),
  'the address of a button': button({ action_url: 'EVIL' }),
  'the address of a button, in a new window': button({ action_url: 'EVIL', action_new_window: true }),
  'the end of an address': button({ action_url: '/x?y=EVIL' }),
  'the element of a button': button({ additional_actions: ['element_click'], action_element: { selector: 'EVIL' } }),
  'the property of a button': button({
    additional_actions: ['property'],
    action_property: 'EVIL',
    action_value: 'EVIL',
  }),
  'the tag of a button': button({ additional_actions: ['tag_user'], action_tag: 'EVIL' }),
  'the selector of an element': other(step({ ...at, elements: [{ selector: 'EVIL' }] })),
  'the text of an element': other(step({ ...at, elements: [{ text: 'EVIL' }] })),
  'a selector in a shadow root': other(step({ ...at, elements: [{ selector: 'body', shadow_selector: 'EVIL' }] })),
  'the title of a survey': step({ title: 'EVIL', preset: 'survey_nps' }, 'survey'),
  'the labels of a scale': step({ preset: 'survey_nps', label_low: 'EVIL', label_high: 'EVIL' }, 'survey'),
  'an answer': step({ preset: 'survey_two', buttons: [{ text: 'EVIL' }, { text: 'No' }] }, 'survey'),
  'an item of a list': step({ preset: 'survey_dropdown', dropdown_items: ['EVIL'] }, 'survey'),
  'any other answer': step({ preset: 'survey_dropdown', dropdown_items: ['A'], other_text: 'EVIL' }, 'survey'),
  'a placeholder': step({ preset: 'survey_input', placeholder: 'EVIL' }, 'survey'),
  'a thank-you': other(step({ preset: 'thank_you', body: 'EVIL' }, 'survey')),
  'the title of a launcher': launcher({ title: 'EVIL' }),
  'the description of a launcher': other(launcher({ description: 'EVIL' })),
  'the icon of a launcher': other(launcher({ trigger: 'EVIL' })),
  'the element of a launcher': other(launcher({ trigger: 'EVIL', trigger_type: 'element' })),
  'the text of a tab': launcher({ trigger_type: 'tab', trigger_text: 'EVIL' }),
  'an empty list': other(launcher({ items: [], empty_state_content: 'EVIL' })),
  'the title of an item': launcher({ items: [{ title: 'EVIL', url: '/x' }] }),
  'the description of an item': other(launcher({ items: [{ title: 'A', url: '/x', description: 'EVIL' }] })),
  'the address of an item': other(launcher({ items: [{ title: 'A', url: 'EVIL' }] })),
  'the title of a tooltip': step({ title: 'EVIL', ...inline, secondary_trigger: 'click' }, 'tooltip'),
  'the body of a tooltip': other(step({ body: 'EVIL', ...inline, secondary_trigger: 'click' }, 'tooltip')),
  'the title of an embed': step({ title: 'EVIL', ...inline }, 'embed'),
  'the body of an embed': other(step({ body: 'EVIL', ...inline }, 'embed', { style: 'card' })),
  'a property in a title': { ...step({ title: 'Hi {{evil}}' }), custom: { evil: 'EVIL' } },
  'a property in Markdown': body('Hi **{{evil}}**', { custom: { evil: 'EVIL' } }),
  'a property as an address': body('[Go]({{evil}}) ![x]({{evil}})', { custom: { evil: 'EVIL' } }),
  'a property in the address of a button': { ...button({ action_url: '{{evil}}' }), custom: { evil: 'EVIL' } },
  'a property in the address of an item': {
    ...other(launcher({ items: [{ title: 'A', url: '{{evil}}' }] })),
    custom: { evil: 'EVIL' },
  },
  'an option in a title': { ...step({ title: 'Hi {{delivery "evil"}}' }), options: { evil: 'EVIL' } },
  'an option in Markdown': body('Hi **{{delivery "evil"}}**', { options: { evil: 'EVIL' } }),
  'an option as an address': body('[Go]({{delivery "evil"}}) ![x]({{delivery "evil"}})', { options: { evil: 'EVIL' } }),
  'an option in the address of a button': {
    ...button({ action_url: '{{delivery "evil"}}' }),
    options: { evil: 'EVIL' },
  },
  'an option in the text of a button': {
    ...step({ buttons: [{ text: '{{delivery "evil"}}' }] }),
    options: { evil: 'EVIL' },
  },
  'the translation of a title': { ...step({}), translated: true },
  'the translation of Markdown': { ...body('Words'), translated: true },
  'the translation of an answer': {
    ...step({ preset: 'survey_dropdown', dropdown_items: ['A'] }, 'survey'),
    translated: true,
  },
};

const id = (n: number) => n.toString(16).padStart(24, '0');

/** As the server answers it: made without what is evil, so that no check on the way in keeps that out. */
function answerOf({ kind, given, custom = {}, options, translated }: Field, evil: string): string {
  let count = 1;
  const problems: string[] = [];
  const harmless: Document = writeDocument(kind, undefined, { name: 'A', ...given }, () => id(count++), problems);
  const fill = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value), (_, one) => (typeof one === 'string' ? one.replaceAll('EVIL', () => evil) : one));
  const document = fill(harmless);
  const first = document.steps[0]?.id ?? '';
  const texts = { title: evil, body: evil, 'dropdown_items.0': evil };
  const content: Content = { document, translations: translated ? { de: { [first]: texts } } : {} };
  const user: PageUser = {
    profile: { facts: {}, custom: fill(custom) as Record<string, never> },
    inSegment: () => true,
    isLive: () => true,
    isCompleted: () => false,
  };
  const experience = contentByLanguage(id(99), content, false)('de').jsonFor(user);
  return `{"experience":${experience},"options":${JSON.stringify(fill(options ?? {}))}}`;
}

interface Outcome {
  pwned: boolean;
  /** What is there that must not be, and where the user was sent. */
  wrong: string[];
  /** Whether what was written can be read. */
  isSeen: boolean;
}

/** In the page: looks at all that is shown, and uses it. */
async function use(answers: (readonly [answer: string, payload: string])[]): Promise<Outcome[]> {
  const names =
    /^(div|span|h[1-6]|button|svg|path|p|ul|ol|li|blockquote|pre|hr|em|strong|del|code|br|a|img|form|textarea|select|option|input|i)$/;
  const own = /^(class|role|tabindex|aria-[a-z]+|type|placeholder|maxlength|data-(side|at)|style|d|viewBox)$/;
  const authored = /^(href|src|alt|title|start|target|rel)$/;
  const either = new RegExp(`${own.source}|${authored.source}`);
  const home = window as unknown as { pwned?: unknown; wrong: string[] };
  const inside = () =>
    [...document.querySelectorAll('usher-layer')].flatMap((host) => [
      ...(host.shadowRoot?.querySelectorAll<HTMLElement>('*') ?? []),
    ]);
  const look = () => {
    for (const one of inside()) {
      const isText = !!one.closest('.body, .title') && !one.matches('.body, .title');
      if (!names.test(one.localName)) home.wrong.push(`<${one.localName}>`);
      for (const { name } of one.attributes) if (!(isText ? authored : either).test(name)) home.wrong.push(name);
      const { href, src } = one as HTMLAnchorElement & HTMLImageElement;
      if (href && one.localName === 'a' && !/^(https?|mailto|tel):/.test(href)) home.wrong.push(href);
      if (src && !/^https?:/.test(src)) home.wrong.push(src);
    }
  };
  const outcomes: Outcome[] = [];
  for (const [answer, payload] of answers) {
    const { experience, options } = JSON.parse(answer);
    home.wrong = [];
    window.kinds.show(experience, options);
    window.kinds.open();
    inside()
      .find((one) => one.matches('.hint'))
      ?.click();
    look();
    const isSeen = inside().some(
      (one) => one.textContent?.includes(payload) || one.getAttribute('placeholder')?.includes(payload),
    );
    for (const one of inside()) {
      one.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
      if (one.matches('a, button:not(.x)')) one.click();
    }
    look();
    window.kinds.clear();
    outcomes.push({ pwned: home.pwned !== undefined, wrong: home.wrong, isSeen });
    delete home.pwned;
  }
  // What an image would do when it fails, it has done by now.
  await new Promise((done) => {
    const image = new Image();
    image.onload = image.onerror = done;
    image.src = '/last';
  });
  outcomes.push({ pwned: home.pwned !== undefined, wrong: home.wrong, isSeen: true });
  return outcomes;
}

/** Where the page is sent is noted, and it stays. Code in an address would run, since that is no navigation. */
const watch = `navigation.addEventListener('navigate',e=>{if(!/^https?:/.test(e.destination.url))wrong.push(e.destination.url);e.preventDefault()});
open=url=>{if(!/^(https?|mailto|tel):/.test(new URL(url,location.href).href))wrong.push(url)};
addEventListener('click',e=>{const a=e.composedPath().find(one=>one.localName==='a');if(a&&/^(https?|mailto|tel):/.test(a.href))e.preventDefault()},true);`;

/** Of all the pages of a test. */
interface Heard {
  dialogs: string[];
  canary: string[];
}
function listenTo(page: Page): Heard {
  const heard: Heard = { dialogs: [], canary: [] };
  page.on('dialog', (dialog) => {
    heard.dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url().includes('canary.test')) heard.canary.push(request.resourceType());
  });
  return heard;
}

describe('whatever is written into', () => {
  const payloads = [...html, ...addresses];
  let browser: Browser;
  let page: Page;
  let heard: Heard;
  beforeAll(async () => {
    browser = await startBrowser();
    page = await openPage(browser);
    await page.evaluate(watch);
    heard = listenTo(page);
  });
  afterAll(() => browser.close());

  it.each(Object.entries(fields))('%s stays words', async (_, field) => {
    const answers = payloads.map((payload) => [answerOf(field, payload), payload] as const);
    const outcomes = await page.evaluate(use, answers);
    expect(
      outcomes.flatMap(({ pwned, wrong }, index) => (pwned || wrong.length > 0 ? [payloads[index], wrong] : [])),
    ).toEqual([]);
    const unseen = payloads.filter((_, index) => !outcomes[index]?.isSeen);
    if (!field.isOther) expect(unseen).toEqual([]);
    const asked = heard.canary.splice(0).filter((type) => type !== 'image');
    expect([heard.dialogs.splice(0), asked]).toEqual([[], []]);
  });

  it('was tried in a thousand ways and more', () => {
    expect(payloads.length * Object.keys(fields).length).toBeGreaterThan(1000);
  });
});

describe('a real server', () => {
  let world: World;
  let uid: string;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    uid = await world.reset();
  });

  const evil = '<img src=x onerror=pwned=1>';
  const bad = 'javascript:pwned=1';
  /** Each written differently, so that none stands for another. */
  const named = (name: string) => `${evil}${name}`;

  async function visit(properties: object = {}, language?: string): Promise<{ page: Page; heard: Heard }> {
    const context = await world.browser.newContext(language ? { locale: language } : {});
    const calls = `usher.identify(${JSON.stringify(uid)},${JSON.stringify(properties)})`;
    const page = await world.open({ calls, body: '<div id=slot></div>' }, { context });
    return { page, heard: listenTo(page) };
  }
  async function check({ page, heard }: { page: Page; heard: Heard }): Promise<void> {
    const images = await page.locator('usher-layer img').count();
    const elements = await page.locator('usher-layer :is(script,iframe,style,object)').count();
    const links = await page
      .locator('usher-layer a')
      .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).protocol));
    expect([images, elements, links.filter((protocol) => protocol !== 'http:')]).toEqual([0, 0, []]);
    await page.evaluate(() => fetch('/last'));
    expect(await page.evaluate(() => (window as unknown as { pwned?: unknown }).pwned)).toBeUndefined();
    expect([heard.dialogs, heard.canary]).toEqual([[], []]);
  }
  const words = (page: Page) => page.locator('.box').evaluateAll((all) => all.map((one) => one.textContent).join('\n'));

  it('keeps a tour as words, with what is known of the user', async () => {
    const text = (name: string) => `${named(name)} {{evil}}`;
    await world.makeTour([
      {
        ...{
          title: text('title'),
          body: `${text('body')} [Go]({{address}}) ![x]({{address}})`,
          dismiss_text: text('dismiss'),
        },
        buttons: [
          {
            text: text('button'),
            additional_actions: ['cta_url', 'property', 'tag_user', 'element_click'],
            ...{
              action_property: 'evil_property',
              action_value: evil,
              action_tag: evil,
              action_element: { selector: '#slot', text: evil },
            },
            action_url: '{{address}}',
          },
        ],
      },
    ]);
    const there = await visit({ evil: named('property'), address: bad });
    await there.page.locator('.box').waitFor();
    const shown = await words(there.page);
    for (const name of ['title', 'body', 'dismiss', 'button', 'property']) expect(shown).toContain(named(name));
    await there.page.locator('.act').click();
    await check(there);
  });

  it.each(['action_url', 'url'])('refuses code as %s, or drops it', async (name) => {
    const given =
      name === 'url'
        ? { items: [{ title: 'A', url: bad }] }
        : { steps: [{ title: 'A', buttons: [{ text: 'Go', additional_actions: ['cta_url'], action_url: bad }] }] };
    const { status } = await world.api.post(`/v3/edit/${name === 'url' ? 'launchers' : 'tours'}`, {
      ...{ name: 'A', published_at: '$now' },
      ...given,
    });
    expect(status).toBe(422);
  });

  it('keeps a survey as words', async () => {
    const all = {
      ...{ title: named('title'), body: named('body'), preset: 'survey_dropdown', placeholder: named('placeholder') },
      ...{ dropdown_items: [named('item')], other_text: named('other'), dismiss_text: named('dismiss') },
    };
    await world.make('survey', { steps: [all] });
    const there = await visit();
    await there.page.locator('.box').waitFor();
    const shown = await words(there.page);
    for (const name of ['title', 'body', 'placeholder', 'item', 'other', 'dismiss'])
      expect(shown).toContain(named(name));
    await check(there);
  });

  it('keeps the labels of a scale as words', async () => {
    await world.make('survey', {
      steps: [{ title: 'A', preset: 'survey_nps', label_low: named('low'), label_high: named('high') }],
    });
    const there = await visit();
    await there.page.locator('.box').waitFor();
    const shown = await words(there.page);
    for (const name of ['low', 'high']) expect(shown).toContain(named(name));
    await check(there);
  });

  it('keeps a launcher as words', async () => {
    await world.make('launcher', {
      ...{ title: named('title'), description: named('description'), trigger: '"><img src=x onerror=pwned=1>' },
      ...{ trigger_type: 'tab', trigger_text: named('tab') },
      items: [
        { title: named('item'), description: named('about'), url: '/x' },
        { title: 'Nowhere', url: '{{address}}' },
      ],
    });
    const there = await visit({ address: bad });
    await there.page.locator('.open').click();
    const shown = await words(there.page);
    for (const name of ['title', 'description', 'item', 'about']) expect(shown).toContain(named(name));
    expect(await there.page.locator('.open').textContent()).toContain(named('tab'));
    expect(shown).not.toContain('Nowhere');
    await check(there);
  });

  it('keeps a tooltip, an embed and an empty list as words', async () => {
    const inside = { elements: [{ selector: '#slot' }], position_type: 'inline' };
    const texts = (name: string) => ({ title: named(`${name} title`), body: named(`${name} body`) });
    await world.make('tooltip', { steps: [{ ...texts('tooltip'), ...inside, secondary_trigger: 'click' }] });
    await world.make('embed', { steps: [{ ...texts('embed'), ...inside }] });
    await world.make('launcher', {
      ...{ title: 'Empty', empty_state_content: named('empty'), items: [{ title: 'Nowhere', url: '{{address}}' }] },
    });
    const there = await visit({ address: bad });
    await there.page.locator('.hint').click();
    expect(await words(there.page)).toContain(named('tooltip body'));
    await there.page.locator('.open').click();
    const shown = await words(there.page);
    for (const name of ['embed title', 'embed body', 'empty']) expect(shown).toContain(named(name));
    await check(there);
  });

  it('keeps the options of a Delivery and of what a page asks for as words', async () => {
    const tour = await world.makeTour(
      [{ title: 'Hi {{delivery "evil"}}', body: '**{{delivery "evil"}}** [Go]({{delivery "address"}})' }],
      { style: 'manual' },
    );
    const options = { evil: named('option'), address: bad };
    await world.greet(uid);
    await world.deliver(uid, tour.id, { options });
    const there = await visit();
    await there.page.locator('.box').waitFor();
    expect(await words(there.page)).toContain(named('option'));
    await check(there);
    await there.page.getByRole('button', { name: 'Close' }).click();
    await there.page.evaluate(
      ({ id, options }) =>
        (window as unknown as { usher: { show(...given: unknown[]): void } }).usher.show(id, { options }),
      { id: tour.id, options },
    );
    await there.page.locator('.box').waitFor();
    expect(await words(there.page)).toContain(named('option'));
    await check(there);
  });

  it('keeps translations as words', async () => {
    const tour = await world.makeTour([{ title: 'Hello', body: 'Words', buttons: [{ text: 'Go' }] }]);
    const { text: file } = await world.api.get(`/v3/edit/tours/${tour.id}/i18n.json`);
    const form = new FormData();
    const translated = JSON.stringify({ ...JSON.parse(file), language: { code: 'de' } }, (key, value) =>
      key === 'text' ? named(value) : value,
    );
    form.append('file', new Blob([translated]), 'de.json');
    expect((await world.api.post('/v3/edit/i18n', form)).status).toBe(200);
    await world.api.patch(`/v3/edit/tours/${tour.id}`, { published_at: '$now' });
    const there = await visit({}, 'de-DE');
    await there.page.locator('.box').waitFor();
    const shown = await words(there.page);
    for (const name of ['Hello', 'Words', 'Go']) expect(shown).toContain(named(name));
    await check(there);
  });
});
