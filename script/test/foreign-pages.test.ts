import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { at, breakElements, call, dialog, items, rectOf, show, uid, until, useHarness } from './browser.ts';
import { afterFrames } from './frames.ts';

/* Tests unusual pages: with a late body, shadow roots, frames, zoom, themes, virtual lists and drawers. */

const harness = useHarness();
const card = (placement = 'auto') =>
  harness.create('embed', {
    ...{ style: 'card', steps: [at('#t', { title: 'Card', placement, position_type: 'inline' })] },
  });
const problemsOf = () =>
  harness.received
    .flatMap(({ body }) => (body.items ?? []) as { step_id?: string; problem?: { reason: string } }[])
    .filter(({ problem }) => problem)
    .map(({ step_id, problem }) => [step_id, problem?.reason]);

describe('a page whose body comes late', () => {
  const snippet = readFileSync(new URL('../src/snippet.js', import.meta.url), 'utf8');

  it.each(['launcher', 'survey', 'tour'] as const)('shows a %s as soon as it has a body', async (kind) => {
    const steps = [{ title: 'Hello', ...(kind === 'survey' && { preset: 'survey_nps' }) }];
    await harness.create(kind, kind === 'launcher' ? { title: 'Hello', items } : { steps });
    const context = await harness.browser.newContext();
    onTestFinished(() => context.close());
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await context.route('**/slow.js', async (route) => {
      await released;
      await route.fulfill({ contentType: 'text/javascript', body: '' });
    });
    const head = `<script>${snippet}usher.identify(${JSON.stringify(uid)})</script><script async src="/loader.js"></script><script src="/slow.js"></script>`;
    const opening = harness.open({ head, loader: null }, { context });
    await until(() => harness.requests).toContain(kind === 'tour' ? 'renderer' : kind);
    await until(() => context.pages()[0]?.evaluate(() => document.head.querySelectorAll('script').length)).toBe(
      kind === 'tour' ? 5 : 6,
    );
    expect(await context.pages()[0]?.evaluate(() => document.body)).toBe(null);
    release();
    const page = await opening;
    await page.getByRole(kind === 'launcher' ? 'button' : 'dialog', { name: 'Hello' }).waitFor();
  });
});

describe('an error while something is painted', () => {
  it('leads to a second attempt', async () => {
    const tour = await harness.createTour([{ title: 'Hello' }]);
    const page = await harness.open({ init: breakElements('h2', 1) }, { uid });
    await dialog(page).waitFor();
    expect(await page.locator('.box').count()).toBe(1);
    await until(() => harness.interactions(tour.id)).toMatchObject([{ state: 'started' }]);
    expect(problemsOf()).toEqual([]);
  });

  it('does not keep `usher.show` from noticing that the second attempt was stopped', async () => {
    const tour = await harness.createTour([at('#t')], { style: 'manual' });
    const page = await harness.open({ init: breakElements('h2', 1), body: '<p id=t>Target</p>', clock: true }, { uid });
    await page.evaluate((id) => {
      const global = window as never as { usher: { show(...args: unknown[]): Promise<unknown> }; result: unknown };
      void global.usher.show(id, { skip_triggers: false }).then((result) => {
        global.result = result;
      });
    }, tour.id);
    await page.waitForFunction(() => (window as never as { errors: number }).errors > 0);
    await page.locator('#t').evaluate((target) => target.remove());
    await page.clock.runFor(1500);
    await call(page, 'clear');
    const result = () => page.evaluate(() => (window as never as { result: unknown }).result);
    await expect.poll(result, { timeout: 2000 }).toEqual({ shown: false, reason: 'cleared' });
  });

  it('lets the next Experience show after the second attempt, and is reported', async () => {
    const tour = await harness.createTour([{ title: 'Hello' }], { style: 'manual' });
    const other = await harness.createTour([{ body: 'Other' }], { style: 'manual' });
    await harness.createProfile(uid);
    await harness.createDelivery(uid, tour.id);
    await harness.createDelivery(uid, other.id, { delivery_ids_position: 'last' });
    const page = await harness.open({ init: breakElements('h2', 99) }, { uid });
    await page.waitForFunction(() => (window as never as { errors: number }).errors > 0);
    const isShowing = () => (window as never as { usher: { isShowing(id?: string): boolean } }).usher.isShowing();
    expect(await page.evaluate(isShowing)).toBe(false);
    await dialog(page, 'Other').waitFor();
    expect(await page.locator('.box').count()).toBe(1);
    const problems = async () => (await harness.api.get(`/v3/analyze/tours/${tour.id}/problems`)).body.problems;
    await until(problems).toMatchObject([{ step_id: tour.steps[0]?.id, reason: 'error' }]);
  });

  it('makes `usher.show` resolve to an error after the second attempt, and leaves the slot free', async () => {
    const tour = await harness.createTour([{ title: 'Hello' }], { style: 'manual' });
    const other = await harness.createTour([{ body: 'Other' }], { style: 'manual' });
    const page = await harness.open({ init: breakElements('h2', 99) }, { uid });
    const showNow = (id: string) =>
      page.evaluate(
        (id) => (window as unknown as { usher: { show(id: string): Promise<unknown> } }).usher.show(id),
        id,
      );
    expect(await showNow(tour.id)).toEqual({ shown: false, reason: 'error' });
    expect(await showNow(other.id)).toEqual({ shown: true });
    expect(await page.locator('.box').count()).toBe(1);
  });

  it('removes the button of a launcher that could not be finished', async () => {
    await harness.create('launcher', { title: 'Hello', items });
    const init = `Document.prototype.createElementNS=()=>{throw new Error('broken')}`;
    const page = await harness.open({ init }, { uid });
    await until(() => problemsOf().length).toBe(1);
    expect(await page.locator('.open').count()).toBe(0);
  });
});

describe('the focus of a user who types', () => {
  const shadow = `<x-field></x-field><script>customElements.define('x-field',class extends HTMLElement{constructor(){super();this.attachShadow({mode:'open'}).innerHTML='<x-inner></x-inner>'}});customElements.define('x-inner',class extends HTMLElement{constructor(){super();this.attachShadow({mode:'open'}).innerHTML='<input>'}})</script>`;
  const editor = `<div id=e tabindex=0>Editor</div><script>e.editContext=new EditContext();e.editContext.addEventListener('textupdate',({text})=>{e.dataset.typed=(e.dataset.typed??'')+text})</script>`;

  it.each([
    ['a field in nested shadow roots', shadow, 'input'],
    ['a field in a frame', '<iframe srcdoc="<input>"></iframe>', 'input'],
    ['an editable frame', '<iframe srcdoc="<body contenteditable></body>"></iframe>', 'body'],
    ['an element with the role of a text field', '<div id=e role=textbox tabindex=0>Editor</div>', '#e'],
    ['an editor with its own input', editor, '#e'],
  ])('stays in %s', async (_, body, selector) => {
    const tour = await harness.createTour([{ title: 'Hello' }], { style: 'manual' });
    const page = await harness.open({ body }, { uid });
    const scope = body.includes('<iframe') ? page.frameLocator('iframe') : page;
    const field = scope.locator(selector).last();
    await field.click();
    await show(page, tour.id);
    await dialog(page).waitFor();
    await page.keyboard.type('abc');
    const typed = await field.evaluate(
      (element) => (element as HTMLInputElement).value ?? element.dataset.typed ?? element.textContent,
    );
    expect(typed).toBe(selector === '#e' && !body.includes('editContext') ? 'Editor' : 'abc');
    expect(await field.evaluate((element) => element.matches(':focus'))).toBe(true);
  });

  it('goes back into the frame where it was', async () => {
    const tour = await harness.createTour([{ title: 'Hello' }], { style: 'manual' });
    const page = await harness.open({ body: '<iframe srcdoc="<button>Mine</button>"></iframe>' }, { uid });
    const mine = page.frameLocator('iframe').getByRole('button', { name: 'Mine' });
    await mine.focus();
    await show(page, tour.id);
    await dialog(page).waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    expect(await mine.evaluate((element) => element.matches(':focus'))).toBe(true);
  });
});

describe('a page that renders its elements again', () => {
  it('keeps the icon of a tooltip, which still opens', async () => {
    await harness.create('tooltip', { steps: [at('#t', { title: 'Hint', position_type: 'inline' })] });
    const page = await harness.open({ body: '<p id=t>Target</p>' }, { uid });
    await page.locator('.hint').waitFor();
    for (const text of ['One', 'Two', 'Three']) {
      await page.locator('#t').evaluate((element, text) => {
        element.innerHTML = `<b>${text}</b>`;
      }, text);
      await page.locator('.hint').waitFor();
    }
    await page.locator('.hint').click();
    await page.getByRole('tooltip').waitFor();
  });

  it.each(['auto', 'bottom'])('keeps an embed (placement %s)', async (placement) => {
    await card(placement);
    const page = await harness.open({ body: '<main><p id=t>Target</p></main>' }, { uid });
    const region = page.getByRole('region', { name: 'Card' });
    await region.waitFor();
    await page.evaluate(() => {
      const target = document.querySelector('#t') as Element;
      target.replaceChildren('Again');
      document.querySelector('main')?.replaceChildren(target);
    });
    await region.waitFor();
    expect(await region.count()).toBe(1);
  });

  it('does not fight with a page that removes what it does not know', async () => {
    await card();
    const body = `<p id=t></p><script>window.removed=0;new MutationObserver(()=>{for(const c of t.children){c.remove();removed++}}).observe(t,{childList:true})</script>`;
    const page = await harness.open({ body }, { uid });
    const removed = () => page.evaluate(() => (window as never as { removed: number }).removed);
    await until(removed).toBe(21);
    await afterFrames(page, 20);
    expect(await removed()).toBe(21);
  });
});

describe('a modal dialog inside of a shadow root', () => {
  const define = (inner: string) =>
    `<script>customElements.define('x-app',class extends HTMLElement{constructor(){super();this.attachShadow({mode:'open'}).innerHTML=\`${inner}\`}open(){this.shadowRoot.querySelector('dialog').showModal()}close(){this.shadowRoot.querySelector('dialog').close()}})</script>`;
  const own = `<x-app></x-app>${define('<dialog><button id=in>In</button></dialog>')}<p id=below style="position:fixed;left:9px;top:9px">Below</p>`;
  const slotted = `<x-app><button id=in>In</button></x-app>${define('<dialog><slot></slot></dialog>')}`;
  const set = (page: Page, name: 'open' | 'close') =>
    page.evaluate((name) => (document.querySelector('x-app') as never as Record<string, () => void>)[name]?.(), name);

  it.each([
    ['of its own', own, { selector: 'x-app', shadow_selector: '#in' }],
    ['in a slot', slotted, { selector: '#in' }],
  ])('has a step at an element %s that can be used', async (_, body, element) => {
    const first = { title: 'Hello', position_type: 'snap_to_element', elements: [element] };
    const tour = await harness.createTour([first, { ...first, title: 'Two' }], { style: 'manual' });
    const page = await harness.open({ body }, { uid });
    await set(page, 'open');
    await show(page, tour.id);
    await dialog(page).waitFor();
    await page.getByRole('button', { name: 'Next' }).click({ timeout: 5000 });
    await dialog(page, 'Two').waitFor();
    await page.keyboard.press('Escape');
    await dialog(page, 'Two').waitFor({ state: 'detached' });
    expect(await page.locator('dialog').evaluate((element) => (element as HTMLDialogElement).open)).toBe(true);
  });

  it.each([
    ['without an element', { title: 'Hello' }],
    ['below it', at('#below')],
  ])('lets a step %s wait', async (_, step) => {
    const tour = await harness.createTour([step], { style: 'manual' });
    const page = await harness.open({ body: own }, { uid });
    await set(page, 'open');
    await show(page, tour.id);
    await afterFrames(page, 20);
    expect(await dialog(page).count()).toBe(0);
    await set(page, 'close');
    await dialog(page).waitFor();
  });
});

describe('a drawer outside of the window', () => {
  const shell = (transform: string) =>
    `<div style="position:fixed;inset:0"><div id=d role=dialog aria-modal=true style="position:absolute;inset:0 auto 0 0;width:300px;transform:${transform}">Menu</div>Page</div>`;

  it('does not let a step wait while it is closed', async () => {
    await harness.createTour([{ title: 'Hello' }]);
    const page = await harness.open({ body: shell('translateX(-100%)') }, { uid });
    await dialog(page).waitFor();
  });

  it('lets a step wait while it is open', async () => {
    const tour = await harness.createTour([{ title: 'Hello' }], { style: 'manual' });
    const page = await harness.open({ body: shell('none') }, { uid });
    await show(page, tour.id);
    await afterFrames(page, 20);
    expect(await dialog(page).count()).toBe(0);
  });
});

describe('a page with zoom', () => {
  it.each(['html', 'body'])('has the ring and the box at the element (%s)', async (zoomed) => {
    await harness.createTour([at('#t', { placement: 'bottom', backdrop: true })]);
    const head = `<style>${zoomed}{zoom:1.5}</style>`;
    const page = await harness.open(
      { head, body: '<button id=t style="margin:150px 0 0 200px">Target</button>' },
      { uid },
    );
    await dialog(page).waitFor();
    const [target, ring, box] = [await rectOf(page, '#t'), await rectOf(page, '.ring'), await rectOf(page, '.box')];
    expect(ring.left).toBeCloseTo(target.left - 4, 0);
    expect(ring.top).toBeCloseTo(target.top - 4, 0);
    expect(ring.width).toBeCloseTo(target.width + 8, 0);
    expect(box.width).toBe(360);
    expect(box.top).toBeCloseTo(target.bottom + 12, 0);
    expect(Math.abs((box.left + box.right) / 2 - (target.left + target.right) / 2)).toBeLessThan(2);
  });

  it('keeps a box inside of the window', async () => {
    await harness.createTour([at('#t')]);
    const body = '<button id=t style="position:fixed;right:0;bottom:0">Target</button>';
    const page = await harness.open({ head: '<style>html{zoom:1.5}</style>', body }, { uid });
    await dialog(page).waitFor();
    const box = await rectOf(page, '.box');
    const { width, height } = page.viewportSize() as { width: number; height: number };
    expect(box.right).toBeLessThanOrEqual(width);
    expect(box.bottom).toBeLessThanOrEqual(height);
  });
});

describe('an embed', () => {
  it('shows in an empty placeholder without a size', async () => {
    await card();
    const page = await harness.open({ body: '<div style="display:flex"><span id=t></span></div>' }, { uid });
    await page.getByRole('region', { name: 'Card' }).waitFor();
  });

  it('does not show in a placeholder that the page hides', async () => {
    await card();
    await harness.createReadyLauncher();
    const page = await harness.openReady({ body: '<div hidden><p id=t></p></div>' }, { uid });
    await afterFrames(page, 5);
    expect(await page.getByRole('region', { name: 'Card' }).count()).toBe(0);
  });
});

describe('a page that changes its theme', () => {
  const dark = 'background:#111;color:#eee';
  const isDark = (page: Page, selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => {
        const [red = 0] = getComputedStyle(element).backgroundColor.match(/\d+/g)?.map(Number) ?? [];
        return red < 128;
      });

  it.each([
    ['an attribute', `[data-bs-theme=dark] body{${dark}}`, `document.documentElement.dataset.bsTheme='dark'`],
    ['a class', `body.dark{${dark}}`, `document.body.classList.add('dark')`],
    ['color-scheme', '', `document.documentElement.style.colorScheme='dark'`],
    [
      'a transition',
      `body{background:#fff;transition:background .1s}body.dark{${dark}}`,
      `document.body.className='dark'`,
    ],
  ])('is followed immediately, by %s', async (_, css, code) => {
    await harness.createTour([{ title: 'Hello', screen_position: 'top_right' }]);
    await card();
    const page = await harness.open({ head: `<style>${css}</style>`, body: '<p id=t></p>' }, { uid });
    await dialog(page).waitFor();
    await page.getByRole('region', { name: 'Card' }).waitFor();
    const both = async () => [await isDark(page, '.box:not(.inline)'), await isDark(page, '.box.inline')];
    expect(await both()).toEqual([false, false]);
    await page.evaluate(code);
    await until(both).toEqual([true, true]);
  });
});

describe('fullscreen', () => {
  const body = `<div id=full><button onclick="full.requestFullscreen()">Enter</button><button onclick="document.exitFullscreen()">Leave</button></div>`;
  const parent = (page: Page) => page.evaluate(() => document.querySelector('usher-layer')?.parentElement?.id);
  const isOnTop = (page: Page, selector: string) =>
    page.locator(selector).evaluate((element) => {
      const { left, top } = element.getBoundingClientRect();
      const root = element.getRootNode() as ShadowRoot;
      return root.host === document.elementFromPoint(left + 20, top + 20);
    });

  it('takes a step with it, and back', async () => {
    await harness.createTour([{ title: 'Hello', screen_position: 'bottom_right' }]);
    const page = await harness.open({ body }, { uid });
    await dialog(page).waitFor();
    await page.getByRole('button', { name: 'Enter' }).click();
    await until(() => parent(page)).toBe('full');
    expect(await isOnTop(page, '.box')).toBe(true);
    await page.getByRole('button', { name: 'Leave' }).click();
    await until(() => parent(page)).toBe('');
    expect(await isOnTop(page, '.box')).toBe(true);
  });

  it('takes the button of a launcher with it', async () => {
    await harness.create('launcher', { title: 'Help', items });
    const page = await harness.open({ body }, { uid });
    await page.getByRole('button', { name: 'Help' }).waitFor();
    await page.getByRole('button', { name: 'Enter' }).click();
    await until(() => parent(page)).toBe('full');
    await page.getByRole('button', { name: 'Help' }).click();
    await dialog(page, 'Help').waitFor();
  });
});

describe('Escape', () => {
  const body = `<button popovertarget=menu>Menu</button><div popover id=menu>Items <b id=item>Item</b></div>`;
  const isOpen = (page: Page) => page.locator('#menu').evaluate((menu) => menu.matches(':popover-open'));

  it('closes a popover of the page that was opened later, then the tour', async () => {
    await harness.createTour([{ title: 'Hello', screen_position: 'bottom_right' }]);
    const page = await harness.open({ body }, { uid });
    await dialog(page).waitFor();
    await page.getByRole('button', { name: 'Menu' }).click();
    expect(await isOpen(page)).toBe(true);
    await page.keyboard.press('Escape');
    expect([await isOpen(page), await dialog(page).count()]).toEqual([false, 1]);
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
  });

  it('closes a step at an element of a popover first', async () => {
    const tour = await harness.createTour([at('#item')], { style: 'manual' });
    const page = await harness.open({ body }, { uid });
    await page.getByRole('button', { name: 'Menu' }).click();
    await show(page, tour.id);
    await dialog(page).waitFor();
    await page.getByRole('heading', { name: 'Hello' }).click();
    expect(await isOpen(page)).toBe(true);
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    expect(await isOpen(page)).toBe(true);
  });
});

describe('a box or button at an edge', () => {
  const launcher = (title: string, fields: object = {}) => harness.create('launcher', { title, items, ...fields });
  const overlap = (a: DOMRect, b: DOMRect) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const expectApart = async (page: Page, ...selectors: string[]) => {
    const rects = await Promise.all(selectors.map((selector) => rectOf(page, selector)));
    const { width, height } = page.viewportSize() as { width: number; height: number };
    for (const [index, rect] of rects.entries()) {
      expect(rect.top >= 0 && rect.left >= 0 && rect.bottom <= height && rect.right <= width).toBe(true);
      for (const other of rects.slice(index + 1)) expect(overlap(rect, other)).toBe(false);
    }
  };
  const nth = (index: number) => `.open >> nth=${index}`;

  it.each(['bottom_right', 'bottom_left', 'top_right', 'bottom', 'center'])(
    'never covers anything else at %s: launchers, a list, a survey',
    async (screen_position) => {
      await launcher('One', { screen_position });
      await launcher('Two', { screen_position, trigger_type: 'tab', trigger_text: 'Help' });
      const page = await harness.open({}, { uid });
      await page.locator('.open').nth(1).waitFor();
      await expectApart(page, nth(0), nth(1));
      if (screen_position === 'center') return;
      await page.locator('.open').first().click();
      await page.locator('.list').waitFor();
      await expectApart(page, nth(0), nth(1), '.list');
      await page.keyboard.press('Escape');
      const survey = await harness.create('survey', {
        ...{ style: 'manual', steps: [{ title: 'Hello', preset: 'survey_nps', screen_position }] },
      });
      await show(page, survey.id);
      await dialog(page).waitFor();
      await expectApart(page, nth(0), nth(1), '.box:not([inert])');
    },
  );

  it('is placed by where its animation ends', async () => {
    await launcher('One');
    const survey = await harness.create('survey', {
      ...{ style: 'manual', steps: [{ title: 'Hello', preset: 'survey_nps', screen_position: 'bottom_right' }] },
    });
    const context = await harness.browser.newContext({ reducedMotion: 'no-preference' });
    onTestFinished(() => context.close());
    const page = await harness.open({}, { uid, context });
    await page.locator('.open').waitFor();
    await show(page, survey.id);
    await dialog(page).waitFor();
    const running = () => document.querySelector('usher-layer')?.shadowRoot?.getAnimations().length;
    await until(() => page.evaluate(running)).toBe(0);
    const [button, box] = [await rectOf(page, '.open'), await rectOf(page, '.box')];
    expect(button.top - box.bottom).toBeCloseTo(12, 0);
  });

  it('gets its place back when another one is removed', async () => {
    await launcher('One');
    const two = await launcher('Two');
    const page = await harness.open({}, { uid });
    await page.locator('.open').nth(1).waitFor();
    const before = await rectOf(page, nth(0));
    await harness.api.patch(`/v3/edit/launchers/${two.id}`, { published_at: null });
    await call(page, 'set', { plan: 'new' });
    await until(() => page.locator('.open').count()).toBe(1);
    await until(async () => (await rectOf(page, '.open')).top).toBe(
      Math.max(before.top, (await rectOf(page, '.open')).top),
    );
  });

  it('hides the button of a launcher below a sheet on a phone', async () => {
    await launcher('One');
    await harness.createTour([{ title: 'Hello', screen_position: 'bottom_right' }]);
    const context = await harness.browser.newContext({
      viewport: { width: 375, height: 700 },
      reducedMotion: 'reduce',
    });
    onTestFinished(() => context.close());
    const page = await harness.open({}, { uid, context });
    await dialog(page).waitFor();
    await until(() => page.locator('.open').isVisible()).toBe(false);
    await page.keyboard.press('Escape');
    await until(() => page.locator('.open').isVisible()).toBe(true);
  });

  it('stays away from a sticky bar, also after scrolling, with the list above its button', async () => {
    await launcher('One');
    const body =
      '<div style="height:300px"></div><div style="height:3000px"><div style="height:600px"></div><div id=bar style="position:sticky;bottom:0;height:80px;background:#ddd">Bar</div></div><div style="height:3000px"></div>';
    const page = await harness.open({ body }, { uid });
    await page.locator('.open').waitFor();
    await expectApart(page, '#bar', '.open');
    await page.locator('.open').click();
    await page.locator('.list').waitFor();
    await expectApart(page, '#bar', '.open', '.list');
    await page.keyboard.press('Escape');
    await page.evaluate(() => scrollTo(0, 2500));
    await until(async () => (await rectOf(page, '.open')).bottom).toBe(720 - 16);
    await page.evaluate(() => scrollTo(0, 100));
    await until(async () => (await rectOf(page, '.open')).bottom).toBeLessThan(720 - 80);
  });

  it('keeps a list above a button with several lines', async () => {
    const trigger_text = 'Many words about this list '.repeat(7);
    await launcher('One', { trigger_type: 'tab', trigger_text });
    const context = await harness.browser.newContext({
      viewport: { width: 500, height: 700 },
      reducedMotion: 'reduce',
    });
    onTestFinished(() => context.close());
    const page = await harness.open({}, { uid, context });
    await page.locator('.open').click();
    await page.locator('.list').waitFor();
    await expectApart(page, '.open', '.list');
  });
});

describe('usher.show right after the tour was completed', () => {
  it('starts with the first step', async () => {
    const tour = await harness.createTour([{ title: 'One' }, { title: 'Two' }], { style: 'manual' });
    const page = await harness.open({}, { uid });
    await show(page, tour.id);
    await dialog(page, 'One').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await dialog(page, 'Two').waitFor();
    await page.evaluate((id) => {
      const { usher } = window as never as { usher: { next(): void; show(id: string): void } };
      usher.next();
      usher.show(id);
    }, tour.id);
    await dialog(page, 'One').waitFor();
    expect(await dialog(page, 'Two').count()).toBe(0);
  });
});

describe('a list of a launcher', () => {
  it('does not fly in from a tooltip that fades out', async () => {
    await harness.create('launcher', {
      ...{ title: 'Help', items, screen_position: 'bottom_right' },
    });
    await harness.create('tooltip', { steps: [at('#t', { title: 'Hint' })] });
    const context = await harness.browser.newContext({ reducedMotion: 'no-preference' });
    onTestFinished(() => context.close());
    const page = await harness.open({ body: '<button id=t>Target</button>' }, { uid, context });
    await page.getByRole('button', { name: 'Help' }).waitFor();
    await page.locator('#t').hover();
    await page.getByRole('tooltip').waitFor();
    const animations = await page.evaluate(() => {
      const root = document.querySelector('usher-layer')?.shadowRoot as ShadowRoot;
      (root.querySelector('.open') as HTMLElement).dispatchEvent(
        new PointerEvent('pointerdown', { bubbles: true, composed: true }),
      );
      (root.querySelector('.open') as HTMLElement).click();
      const fading = root.querySelectorAll('.tip[inert]').length;
      const flying = root
        .querySelector('.list')
        ?.getAnimations()
        .filter((one) => !(one instanceof CSSAnimation)).length;
      return { fading, flying };
    });
    expect(animations).toEqual({ fading: 1, flying: 0 });
  });
});

describe('a virtual list', () => {
  const back = (page: Page) => page.getByRole('button', { name: 'Back to step' });
  const body = `<div id=list style="height:300px;overflow:auto"><div style="height:30000px;position:relative"></div></div><script>
const render=()=>{const first=Math.floor(list.scrollTop/30);list.firstChild.innerHTML=Array.from({length:10},(_,i)=>'<div class=row id=row'+(first+i)+' style="position:absolute;top:'+(first+i)*30+'px">Row '+(first+i)+'</div>').join('')};
list.addEventListener('scroll',()=>{if(window.first===(window.first=Math.floor(list.scrollTop/30)))return;render()});render()</script>`;

  it('offers to go back to a row that it has removed', async () => {
    await harness.createTour([at('#row3')]);
    const page = await harness.open({ body }, { uid });
    await dialog(page).waitFor();
    await page.locator('#list').evaluate((list) => list.scrollTo(0, 9000));
    await back(page).waitFor();
    expect(await dialog(page).count()).toBe(0);
    await back(page).click();
    await dialog(page).waitFor();
    expect(await back(page).count()).toBe(0);
  });

  it('offers nothing when the list was removed', async () => {
    await harness.createTour([at('#row3')]);
    const page = await harness.open({ body: `${body}<script>list.scrollTo(0,30)</script>`, clock: true }, { uid });
    await dialog(page).waitFor();
    await page.locator('#list').evaluate((list) => list.remove());
    await dialog(page).waitFor({ state: 'detached' });
    await page.clock.runFor(1000);
    expect(await back(page).count()).toBe(0);
  });

  it('offers to go back only on the page of the row', async () => {
    await harness.createTour([at('#row3')]);
    const page = await harness.open({ body }, { uid });
    await dialog(page).waitFor();
    await page.locator('#list').evaluate((list) => list.scrollTo(0, 9000));
    await back(page).waitFor();
    await page.evaluate(() => history.replaceState(null, '', '#row300'));
    await afterFrames(page, 20);
    expect(await back(page).count()).toBe(1);
    await page.evaluate(() => history.pushState(null, '', '/other'));
    await back(page).waitFor({ state: 'detached' });
  });

  it('no longer offers to go back when the row is covered', async () => {
    await harness.createTour([at('#row3')]);
    const page = await harness.open({ body }, { uid });
    await dialog(page).waitFor();
    await page.locator('#list').evaluate((list) => list.scrollTo(0, 9000));
    await back(page).waitFor();
    await page.evaluate(() => {
      document.body.insertAdjacentHTML('beforeend', '<div id=cover style="position:fixed;inset:0">Wait</div>');
      document.querySelector('#list')?.scrollTo(0, 0);
    });
    await back(page).waitFor({ state: 'detached' });
    await page.locator('#cover').evaluate((cover) => cover.remove());
    await dialog(page).waitFor();
  });

  it('offers nothing when the row was deleted', async () => {
    await harness.createTour([at('#t')]);
    const page = await harness.open({ body: '<p id=t>Row</p>', clock: true }, { uid });
    await dialog(page).waitFor();
    await page.locator('#t').evaluate((row) => row.remove());
    await dialog(page).waitFor({ state: 'detached' });
    await page.clock.runFor(1000);
    expect(await back(page).count()).toBe(0);
  });
});

describe('a page with a tour', () => {
  it('offers no way back to a step on another route', async () => {
    await harness.createTour([at('#t')]);
    const body = `<main><div style="height:2000px"></div><p id=t>Row</p><div style="height:2000px"></div></main><script>scrollTo(0,1800)</script>`;
    const page = await harness.open({ body, clock: true }, { uid });
    await dialog(page).waitFor();
    await page.evaluate(() => {
      history.pushState(null, '', '/other');
      (document.querySelector('main') as HTMLElement).textContent = 'Other';
    });
    await dialog(page).waitFor({ state: 'detached' });
    await page.clock.runFor(1000);
    expect(await page.getByRole('button', { name: 'Back to step' }).count()).toBe(0);
  });

  it('keeps no shadow root and no document of a frame in memory that the page has removed', async () => {
    await harness.createTour([at('#t')]);
    const page = await harness.open({ body: '<p id=t>Row</p>' }, { uid });
    await dialog(page).waitFor();
    await page.evaluate(async () => {
      const kept: WeakRef<Node>[] = [];
      const frames = (count: number) =>
        new Promise<void>((done) => {
          requestAnimationFrame(() => (count > 1 ? frames(count - 1).then(done) : done()));
        });
      for (let times = 0; times < 10; times++) {
        const host = document.createElement('div');
        const root = host.attachShadow({ mode: 'open' });
        root.innerHTML = '<div role=dialog style="position:fixed;inset:0">Dialog</div>';
        const frame = document.createElement('iframe');
        document.body.append(frame, host);
        kept.push(new WeakRef(root), new WeakRef(frame.contentDocument as Node));
        await frames(4);
        host.remove();
        frame.remove();
        await frames(4);
      }
      Object.assign(window, { kept });
    });
    await dialog(page).waitFor();
    const session = await page.context().newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    const count = () =>
      page.evaluate(
        () =>
          (window as unknown as { kept: WeakRef<Node>[] }).kept.filter(
            (node) => node.deref()?.isConnected !== undefined,
          ).length,
      );
    expect(await count()).toBeLessThanOrEqual(1);
  });

  it.each([
    ['that it waits for a click in', { secondary_trigger: 'click' }],
    ['that its element was in', {}],
  ])('keeps no document of a frame in memory %s', async (_, fields) => {
    await harness.createTour([at('#inside', fields)]);
    await harness.createReadyLauncher();
    const page = await harness.openReady({}, { uid });
    const frames = await page.evaluate(async () => {
      const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));
      const frames: WeakRef<Node>[] = [];
      for (let times = 0; times < 10; times++) {
        const frame = document.createElement('iframe');
        document.body.append(frame);
        const inner = frame.contentDocument as Document;
        inner.body.innerHTML = '<p id=inside>Inside</p>';
        frames.push(new WeakRef(inner));
        await wait(150);
        frame.remove();
        await wait(150);
      }
      Object.assign(window, { frames });
      return frames.length;
    });
    expect(frames).toBe(10);
    const session = await page.context().newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    const countKept = () =>
      page.evaluate(
        () =>
          (window as unknown as { frames: WeakRef<Node>[] }).frames.filter(
            (node) => node.deref()?.isConnected !== undefined,
          ).length,
      );
    expect(await countKept()).toBe(0);
  });

  const urls = (...list: string[]) => ({ quantifier_urls: list.map((url) => ({ url })) });

  it('loads no extras for URL patterns that the visit has tested', async () => {
    await harness.createTour([
      { title: 'Hello', ...urls('/*') },
      { title: 'Two', ...urls('/*') },
    ]);
    const page = await harness.open({}, { uid });
    await dialog(page).waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await dialog(page, 'Two').waitFor();
    expect(harness.requests).not.toContain('extras');
  });

  it('tests the patterns when its address changes', async () => {
    await harness.createTour([{ title: 'Hello', ...urls('/') }]);
    const page = await harness.open({}, { uid });
    await dialog(page).waitFor();
    await page.evaluate(() => history.pushState(null, '', '/other'));
    await dialog(page).waitFor({ state: 'detached' });
    expect(harness.requests).toContain('extras');
    await page.evaluate(() => history.back());
    await dialog(page).waitFor();
  });

  it('shows nothing on another page before the patterns can be read', async () => {
    await harness.createTour([at('#late', urls('/'))]);
    await harness.createReadyLauncher();
    const page = await harness.openReady({}, { uid });
    let load = () => {};
    await page.route(/extras-/, (route) => {
      load = () => void route.continue();
    });
    await page.evaluate(() => {
      history.pushState(null, '', '/other');
      document.body.insertAdjacentHTML('beforeend', '<p id=late>Late</p>');
    });
    await afterFrames(page, 20);
    expect(await dialog(page).count()).toBe(0);
    load();
    await page.evaluate(() => history.back());
    await dialog(page).waitFor();
  });
});
