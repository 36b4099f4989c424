import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Example, examples } from '../src/pages/components/preview/examples.ts';
import { accessibilityProblems, builtAxe, type Dashboard, startDashboard, takePicture } from './browser.ts';
import { startCustomerSite } from './customer-site.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());

const frameSelector = 'iframe[title^="Preview of"]';

/** Opens an example, and waits until the frame has painted it. */
async function openPreview(example: string, choices?: object): Promise<[Page, Frame]> {
  const page = await dashboard.open(`/app/_preview?example=${example}`, { as: null });
  return [page, choices ? await showExample(page, example, choices) : await paintedFrame(page)];
}

/** Shows another example in the same page, which is much faster than loading the page again. */
async function showExample(page: Page, example: string, choices: object = {}): Promise<Frame> {
  await page.evaluate(
    ([example, choices]) => {
      localStorage.setItem('usher-preview-example', choices);
      // The event makes the page read the storage, as if another tab had stored the choices.
      dispatchEvent(new Event('storage'));
      // Another address gets a new frame.
      history.pushState(null, '', `?example=${example}&time=${performance.now()}`);
    },
    [example, JSON.stringify(choices)] as const,
  );
  return paintedFrame(page);
}

async function paintedFrame(page: Page): Promise<Frame> {
  const element = page.locator(`${frameSelector}[data-painted]`);
  await element.waitFor();
  return (await (await element.elementHandle())?.contentFrame()) as Frame;
}

const status = (page: Page) => page.locator('output').innerText();
const waitForStatus = (page: Page, text: string) => page.locator('output').getByText(text, { exact: true }).waitFor();

/** Returns the problems that axe finds inside of the frame. */
async function problemsInside(frame: Frame, options: object = {}): Promise<string[]> {
  if (!(await frame.evaluate('"axe" in window'))) await frame.evaluate(builtAxe);
  const run = `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], selectors: false, ...options })})`;
  const { violations } = await frame.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(run);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
}

const kinds = [
  { example: 'tour', words: 'Welcome, friend' },
  { example: 'survey', words: 'How likely are you to recommend Orbit?' },
  { example: 'choice', words: 'How did you find us?' },
  { example: 'questions', words: 'Look at data' },
  { example: 'launcher', words: 'Connect your data' },
  { example: 'tooltip', words: 'Who left in the last 30 days.' },
  { example: 'icon', words: 'As a spreadsheet, or' },
  { example: 'banner', words: 'Reports are twice as fast' },
  { example: 'card', words: 'Invite your team' },
];

/** Dark differs from light only by its colors, and a phone differs from a desktop by everything else. */
const looks = [
  { width: 1440, name: 'Desktop', scheme: 'light', rules: {} },
  { width: 1440, name: 'Desktop', scheme: 'dark', rules: { runOnly: ['color-contrast'] } },
  { width: 375, name: 'Phone', scheme: 'dark', rules: { rules: { 'color-contrast': { enabled: false } } } },
] as const;

describe('a preview', () => {
  it('of each kind is painted in light and dark, at the width of a desktop and of a phone', async () => {
    const [page] = await openPreview('tour');
    for (const { example, words } of kinds) {
      await page.setViewportSize({ width: 1440, height: 900 });
      const frame = await showExample(page, example);
      for (const { width, name, scheme, rules } of looks) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme: scheme });
        await page.getByRole('radio', { name }).check({ force: true });
        await page.getByRole('radio', { name: scheme, exact: false }).check({ force: true });
        await expect
          .poll(() => frame.evaluate(() => getComputedStyle(document.documentElement).colorScheme))
          .toBe(scheme);
        await frame.getByText(words).first().waitFor();
        expect([example, name, scheme, await problemsInside(frame, rules)]).toEqual([example, name, scheme, []]);
        await takePicture(page, `preview-${example}-${scheme}-${width}`);
      }
    }
  });
});

describe('the page around the preview', () => {
  it('is accessible, and remembers the choices of the bar', async () => {
    const [page] = await openPreview('tour');
    expect(await accessibilityProblems(page)).toEqual([]);
    // Each option has its word beside its icon.
    await page.getByText('Dark', { exact: true }).click();
    await page.getByRole('radio', { name: 'Phone' }).click();
    await page.getByRole('button', { name: 'Language' }).click();
    await page.getByRole('option', { name: 'Arabic', exact: true }).click();
    await page.reload();
    const frame = await paintedFrame(page);
    await frame.getByText('مرحبًا صديقي').waitFor();
    expect(await frame.evaluate(() => [getComputedStyle(document.documentElement).colorScheme, innerWidth])).toEqual([
      'dark',
      375,
    ]);
  });
});

describe('the page in the preview', () => {
  it('shows a banner before or after one of its columns as wide as the content', async () => {
    const [, frame] = await openPreview('banner');
    const places = await frame.evaluate(() => {
      const find = (selector: string) => document.querySelector(selector) as Element;
      const [host, nav, main] = [find('usher-layer:not([popover])'), find('nav'), find('main')] as const;
      return [() => nav.before(host), () => main.before(host), () => main.after(host)].map((insert) => {
        insert();
        const [banner, content] = [host.getBoundingClientRect(), main.getBoundingClientRect()];
        const isAbove = banner.bottom <= content.top;
        return { isAbove, width: banner.width - content.width, side: nav.getBoundingClientRect().width };
      });
    });
    const above = { isAbove: true, width: 0, side: 208 };
    expect(places).toEqual([above, above, { ...above, isAbove: false }]);
  });
});

describe('a text in the preview', () => {
  it('reports its path when it is clicked', async () => {
    const texts = {
      tour: {
        'Welcome, friend': 'steps.0.title',
        'Pick your data': 'steps.0.body',
        'Show me': 'steps.0.buttons.0.text',
        'Not now': 'steps.0.dismiss_text',
      },
      survey: { 'How likely are you to recommend Orbit?': 'steps.0.title', 'Very likely': 'steps.0.label_high' },
      questions: { 'Look at data': 'steps.0.question.options.data', 'Something else': 'steps.0.question.other_text' },
      tooltip: { Churn: 'steps.0.title' },
      banner: { 'Read more': 'steps.0.buttons.0.text' },
      launcher: {
        'Get started': 'title',
        'Create a report': 'items.2.title',
        'From a template': 'items.2.description',
      },
    };
    const [page] = await openPreview('tour');
    for (const [example, paths] of Object.entries(texts)) {
      const frame = await showExample(page, example);
      for (const [words, path] of Object.entries(paths)) {
        await frame.getByText(words, { exact: true }).first().click();
        await waitForStatus(page, `Step 1 ${path}`);
      }
    }
    // Another text of the launcher has the same words.
    await (await paintedFrame(page)).getByText('Read the guide').nth(1).click();
    await waitForStatus(page, 'Step 1 items.5.title');
    const choice = await showExample(page, 'choice');
    await choice.locator('select').click();
    await waitForStatus(page, 'Step 1 steps.0.dropdown_items.0');
  });

  it('is reached with the keyboard, Enter reports its path, and Tab goes on behind a box with a backdrop', async () => {
    const [page, frame] = await openPreview('tour');
    const reached: string[] = [];
    await page.getByRole('textbox', { name: 'Title' }).focus();
    for (let count = 0; count < 12; count++) {
      await page.keyboard.press('Tab');
      const isInFrame = await page.evaluate(() => document.activeElement?.tagName === 'IFRAME');
      if (!isInFrame && reached.length > 0) break;
      if (!isInFrame) continue;
      const path = await frame.evaluate(() => {
        const root = document.querySelector('usher-layer')?.shadowRoot;
        return (root?.activeElement as HTMLElement | null)?.dataset.path ?? '';
      });
      if (!path) continue;
      await page.keyboard.press('Enter');
      await waitForStatus(page, `Step 1 ${path}`);
      reached.push(path);
    }
    expect(reached).toEqual(['steps.0.title', 'steps.0.body', 'steps.0.dismiss_text', 'steps.0.buttons.0.text']);
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('IFRAME');
  });
});

describe('typing', () => {
  it('shows in the preview without loading it again, and keeps the focus in the field', async () => {
    const [page, frame] = await openPreview('tour');
    await frame.evaluate(() => Object.assign(window, { isOld: true }));
    const field = page.getByRole('textbox', { name: 'Title' });
    await field.fill('');
    await field.pressSequentially('Hello there', { delay: 0 });
    await frame.getByRole('heading', { name: 'Hello there' }).waitFor();
    expect(await frame.evaluate(() => 'isOld' in window)).toBe(true);
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await frame.locator('.box').count()).toBe(1);
    // A long text stays where it was scrolled to.
    await field.fill('Long '.repeat(400));
    const main = frame.locator('.main[tabindex]');
    await main.evaluate((element) => element.scrollTo(0, 40));
    await field.fill(`${'Long '.repeat(400)}text`);
    await frame.getByText('Long text').waitFor();
    expect(await main.evaluate((element) => element.scrollTop)).toBe(40);
  });

  it('sends one message for each frame of the screen, and shows the values of the chosen user', async () => {
    const [page, frame] = await openPreview('tour');
    await frame.getByText('Welcome, friend').waitFor();
    await page.getByRole('combobox', { name: 'As user' }).fill('Ann');
    await page.getByRole('option', { name: 'Ann Lee' }).click();
    await frame.getByText('Welcome, Ann').waitFor();
    await frame.evaluate(() => {
      const counts = Object.assign(window, { messages: 0 });
      addEventListener('message', () => counts.messages++);
    });
    // React renders each change, and all of them happen within one frame.
    await page.getByRole('textbox', { name: 'Title' }).evaluate((field: HTMLInputElement) => {
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
      for (let count = 1; count <= 50; count++) {
        set?.call(field, 'a'.repeat(count));
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }
    });
    await frame.getByText('a'.repeat(50)).waitFor();
    expect(await frame.evaluate(() => (window as unknown as { messages: number }).messages)).toBeLessThanOrEqual(2);
  });
});

describe('Arabic', () => {
  it('is shown from right to left, with the labels of the script', async () => {
    const [page, frame] = await openPreview('tour', { language: 'ar' });
    const box = frame.locator('.box');
    expect(await box.getAttribute('lang')).toBe('ar');
    expect(await box.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
    expect(await frame.locator('html').getAttribute('dir')).toBe('rtl');
    await frame.getByRole('button', { name: 'إغلاق' }).waitFor();
    await takePicture(page, 'preview-tour-arabic');
    // For Egyptian Arabic, the texts of its parent language are shown, and source texts where there are none.
    const egyptian = await showExample(page, 'tour', { language: 'ar-EG', mode: 'try' });
    await egyptian.getByText('مرحبًا صديقي').waitFor();
    await egyptian.getByRole('button', { name: 'أرني' }).click();
    await egyptian.getByRole('button', { name: 'Create it' }).waitFor();
  });
});

describe('trying it', () => {
  it('leads from step to step, reports which one shows, and offers to show it again after its end', async () => {
    const [page, frame] = await openPreview('tour', { mode: 'try' });
    await frame.getByRole('button', { name: 'Show me' }).click();
    await waitForStatus(page, 'Step 2');
    await frame.getByText('Create your first report').waitFor();
    await frame.getByText('#new-report').waitFor();
    await frame.getByRole('button', { name: 'Back' }).click();
    await waitForStatus(page, 'Step 1');
    await frame.getByRole('button', { name: 'Close' }).click();
    await frame.getByRole('button', { name: 'Show again' }).click();
    await frame.getByText('Welcome, friend').waitFor();
    expect(await status(page)).toBe('Step 1');
  });

  it('neither runs code nor leaves the page', async () => {
    const [page, frame] = await openPreview('tour', { mode: 'try' });
    const popups: string[] = [];
    page.on('popup', (popup) => popups.push(popup.url()));
    await frame.getByRole('link', { name: 'your team' }).click();
    await frame.getByRole('button', { name: 'Show me' }).click();
    await frame.getByRole('button', { name: 'Create it' }).click();
    await waitForStatus(page, 'Step 3');
    expect(popups).toEqual([]);
    expect(frame.url()).toContain('/app/preview');
    expect(await frame.title()).toBe('Preview');
    expect(await page.title()).toBe('Preview · Usher');
  });

  it('asks questions, follows rules, and shows answers', async () => {
    const [, frame] = await openPreview('questions', { mode: 'try' });
    await frame.getByRole('button', { name: 'Next' }).click();
    await frame.getByRole('alert').waitFor();
    await frame.getByRole('checkbox', { name: 'Look at data' }).click();
    await frame.getByRole('button', { name: 'Next' }).click();
    await frame.getByRole('dialog', { name: 'You said Look at data' }).waitFor();
    await frame.getByRole('button', { name: 'Back' }).click();
    await frame.getByRole('checkbox', { name: 'Look at data', checked: true }).waitFor();
  });

  it('submits a survey, which ends with thanks that stay, and opens and closes a launcher', async () => {
    const [page, frame] = await openPreview('survey', { mode: 'try' });
    await frame.getByRole('radio', { name: '9', exact: true }).click();
    await waitForStatus(page, 'Step 2');
    await frame.locator('textarea').fill('It is fast');
    await frame.getByRole('button', { name: 'Send' }).click();
    await waitForStatus(page, 'Step 3');
    await frame.getByText('We read every answer.').waitFor();
    const launcher = await showExample(page, 'launcher', { mode: 'try' });
    await launcher.getByRole('button', { name: 'Close' }).click();
    await launcher.getByText('Connect your data').waitFor({ state: 'detached' });
    await launcher.getByRole('button', { name: /Get started/ }).click();
    await launcher.getByText('Connect your data').waitFor();
  });
});

describe('the document of the preview', () => {
  it('can reach neither the network nor the dashboard', async () => {
    // Every attempt logs an error.
    const page = await dashboard.browser.newPage();
    onTestFinished(() => page.close());
    await page.goto(`${dashboard.api.url}/app/_preview`);
    const frame = await paintedFrame(page);
    const results = await frame.evaluate(async () => {
      const tryTo = async (run: () => unknown) => {
        try {
          await run();
          return 'done';
        } catch (error) {
          return (error as Error).name;
        }
      };
      // The debugger, which runs this function, may evaluate texts. Code of the page may not, so it runs in a timer.
      await new Promise((done) => setTimeout(done));
      return {
        origin: self.origin,
        fetch: await tryTo(() => fetch('/v3/session')),
        parent: await tryTo(() => parent.document),
        storage: await tryTo(() => localStorage.length),
        cookie: await tryTo(() => document.cookie),
        html: await tryTo(() => {
          document.body.innerHTML = '<b>x</b>';
        }),
        code: await tryTo(() => new Function('return 1')()),
      };
    });
    expect(results).toEqual({
      origin: 'null',
      fetch: 'TypeError',
      parent: 'SecurityError',
      storage: 'SecurityError',
      cookie: 'SecurityError',
      html: 'TypeError',
      code: 'EvalError',
    });
  });

  it('shows hostile texts as they are', async () => {
    const [page, frame] = await openPreview('hostile');
    await frame.getByText('<script>document.title').waitFor();
    await frame.getByText('div[onclick="alert(1)"] > <script>').waitFor();
    expect(await frame.locator('.box img, .box script, .box svg[onload]').count()).toBe(0);
    expect(await frame.title()).toBe('Preview');
    expect(await page.title()).toBe('Preview · Usher');
    await takePicture(page, 'preview-hostile');
  });

  it('ignores messages that make no sense', async () => {
    const step = (title: unknown) => ({ id: 'x', kind: 'tour', steps: [{ id: 's', title }] });
    const [page, frame] = await openPreview('tour');
    for (const message of [
      'not an object',
      { type: 'of somebody else' },
      { usher: 'preview', experience: { id: 'x', kind: 'constructor' } },
      { usher: 'preview', experience: { id: 'x', kind: 'tour', steps: { length: 3 } } },
      { usher: 'preview', experience: { id: 'x', kind: 'tour', steps: [1] } },
      { usher: 'preview', experience: step({}) },
    ]) {
      await postAndWait(page, message);
      expect([message, await frame.getByText('Welcome, friend').isVisible()]).toEqual([message, true]);
    }
    // The dashboard does not accept a message from another window either.
    const box = { left: 0, top: 0, width: 10, height: 10 };
    const clicked = { usher: 'preview', event: 'text', path: 'steps.0.title', box };
    await page.evaluate((data) => postMessage(data, '*'), clicked);
    await page.evaluate(() => new Promise(requestAnimationFrame));
    expect(await status(page)).toBe('Step 1');
    // The dashboard accepts the same message from the frame, and ignores a message with an invalid rectangle.
    const post = (data: object) => frame.evaluate((sent) => parent.postMessage(sent, '*'), data);
    await post(clicked);
    await post({ ...clicked, path: 'steps.0.body', box: { ...box, top: Number.NaN } });
    await waitForStatus(page, 'Step 1 steps.0.title');
    await page.evaluate(() => new Promise(requestAnimationFrame));
    expect(await status(page)).toBe('Step 1 steps.0.title');
    await postAndWait(page, { usher: 'preview', experience: step(['Right']) });
    await frame.getByText('Right').waitFor();
  });

  it('ignores messages of any window but its parent', async () => {
    const [page, frame] = await openPreview('tour');
    const message = { usher: 'preview', experience: { id: 'x', kind: 'tour', steps: [{ id: 's', title: ['Evil'] }] } };
    // A frame of the same page can send messages to the preview, too.
    await page.evaluate((selector) => {
      const other = document.createElement('iframe');
      other.src = '/app/preview';
      other.id = 'other';
      document.body.append(other);
      return new Promise((resolve) => other.addEventListener('load', () => resolve(selector)));
    }, frameSelector);
    const other = (await (await page.locator('#other').elementHandle())?.contentFrame()) as Frame;
    await other.evaluate((data) => parent.frames[0]?.postMessage(data, '*'), message);
    await frame.evaluate((data) => postMessage(data, '*'), message);
    await postAndWait(page, 'done');
    expect(await frame.getByText('Welcome, friend').isVisible()).toBe(true);
    await postAndWait(page, message);
    await frame.getByText('Evil').waitFor();
  });
});

/** Posts a message to the frame, and waits until its document has handled it. Messages arrive in order. */
async function postAndWait(page: Page, message: unknown): Promise<void> {
  await page.locator(frameSelector).evaluate((element, data) => {
    (element as HTMLIFrameElement).contentWindow?.postMessage(data, '*');
  }, message);
  const frame = await paintedFrame(page);
  await frame.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

describe('what users see on their own page', () => {
  it('has the same texts and the same size as in the preview', async () => {
    const [preview] = await openPreview('tour');
    const { api, browser } = dashboard;
    const { url } = await startCustomerSite(
      () => `<script src="${api.url}/script/${api.account.account_token}.js"></script>`,
    );
    const page = await browser.newPage({ reducedMotion: 'reduce' });
    onTestFinished(() => page.close());
    for (const example of ['tour', 'survey', 'choice', 'launcher', 'tooltip'] as const) {
      const frame = await showExample(preview, example);
      const inPreview = await measureBox(frame);
      await page.setViewportSize(await frame.evaluate(() => ({ width: innerWidth, height: innerHeight })));
      await publishAlone(examples[example]);
      await visitAsUser(page, url);
      if (example === 'launcher') await page.locator('.open').click();
      if (example === 'tooltip') await page.locator('h1').hover();
      expect(await measureBox(page)).toEqual(inPreview);
    }
  });
});

async function measureBox(page: Page | Frame): Promise<{ text: string; width: number; height: number }> {
  const box = page.locator('.box');
  await box.waitFor();
  return box.evaluate((element) => {
    const { innerText: text, offsetWidth: width, offsetHeight: height } = element as HTMLElement;
    return { text, width, height };
  });
}

/** Publishes an Experience in an account that has nothing else. */
async function publishAlone({ id: _, ...draft }: Example): Promise<void> {
  await dashboard.api.replaceAccounts();
  const withoutId = <Part extends { id: string; position: number }>({ id: _, position: __, ...part }: Part) => part;
  const elements = [{ selector: 'h1', text: null, shadow_selector: null }];
  const steps = draft.steps.map(({ buttons, ...step }) => ({
    ...withoutId(step),
    ...(step.elements.length > 0 && { elements }),
    ...(draft.kind === 'tooltip' && { secondary_trigger: null }),
    buttons: buttons.map(withoutId).map(({ additional_actions: __, action_script: ___, ...button }) => button),
  }));
  const tours = new Map<string | null, string>();
  for (const { campaign_id } of draft.items ?? [])
    if (campaign_id !== null)
      tours.set(campaign_id, await publish('tour', { name: 'Item', style: 'manual', steps: [{ title: 'Item' }] }));
  const items = draft.items?.map(({ campaign_id, ...item }) => ({
    ...withoutId(item),
    campaign_id: tours.get(campaign_id) ?? null,
  }));
  await publish(draft.kind, { ...draft, steps, ...(items && { items }) });
}

/** Opens the page of a customer as a new user. */
async function visitAsUser(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.evaluate(() => localStorage.clear());
  await page.context().clearCookies();
  await page.reload();
  await page.waitForFunction(() => 'identify' in (window as unknown as { usher: object }).usher);
  await page.evaluate(() => (window as unknown as { usher: { identify(uid: string): void } }).usher.identify('ann'));
}

async function publish(kind: string, fields: object): Promise<string> {
  const { status, body } = await dashboard.api.post(`/v3/edit/${kind}s`, { ...fields, published_at: '$now' });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body[kind].id;
}

describe('thumbnails', () => {
  it('are painted for the steps in view only, and change with their step alone', async () => {
    const page = await dashboard.open('/app/_preview?example=long&thumbnails=1', { as: null });
    await page.locator('li iframe[data-painted]').nth(7).waitFor();
    const count = await page.locator('li iframe').count();
    expect(count).toBeGreaterThan(7);
    expect(count).toBeLessThan(20);
    const first = page.locator('li').first().frameLocator('iframe');
    const second = page.locator('li').nth(1);
    await second.locator('iframe[data-painted]').waitFor();
    const frame = (await (await second.locator('iframe').elementHandle())?.contentFrame()) as Frame;
    await frame.evaluate(() => {
      const counts = Object.assign(window, { messages: 0 });
      addEventListener('message', () => counts.messages++);
    });
    await page.getByRole('textbox', { name: 'Title' }).fill('Another title');
    await first.getByText('Another title').waitFor();
    expect(await frame.evaluate(() => (window as unknown as { messages: number }).messages)).toBe(0);
    await page.locator('li').last().scrollIntoViewIfNeeded();
    await page.locator('li').last().locator('iframe[data-painted]').waitFor();
    await takePicture(page, 'preview-thumbnails');
  });
});
