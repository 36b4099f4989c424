import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { dialog, type Site, uid, until, useHarness } from './browser.ts';

const harness = useHarness();
beforeEach(async () => {
  await harness.createReadyLauncher();
});

const open = (site: Site = {}, options: object = {}) => harness.openReady(site, { uid, ...options });

const at = (selector: string, fields: object = {}) => ({
  elements: [{ selector }],
  position_type: 'snap_to_element',
  ...fields,
});
const leftOf = async (page: Page, name?: string) => Math.round((await dialog(page, name).boundingBox())?.x ?? -1);
const topOf = async (page: Page, name?: string) => Math.round((await dialog(page, name).boundingBox())?.y ?? -1);
const next = (page: Page) => page.getByRole('button', { name: 'Next' }).click();

describe('a step at an element', () => {
  it('shows with its element, follows it, disappears with it, and finds the next match', async () => {
    await harness.createTour([{ title: 'Hello', ...at('.target', { placement: 'right' }) }]);
    const page = await open({ body: '<main></main>' });
    expect(await dialog(page).count()).toBe(0);
    const html =
      '<button class=target style="position:absolute;left:100px;top:200px;width:80px;height:40px">T</button>';
    await page.evaluate((html) => document.querySelector('main')?.insertAdjacentHTML('beforeend', html), html);
    await dialog(page).waitFor();
    await until(() => leftOf(page)).toBe(192);
    const style = (name: string, value: string) =>
      page
        .locator('.target')
        .evaluate((one, [name, value]) => (one as HTMLElement).style.setProperty(name, value), [name, value] as [
          string,
          string,
        ]);
    await style('left', '300px');
    await until(() => leftOf(page)).toBe(392);
    await style('display', 'none');
    await dialog(page).waitFor({ state: 'detached' });
    await style('display', 'block');
    await dialog(page).waitFor();
    await page.locator('.target').evaluate((one) => one.remove());
    await dialog(page).waitFor({ state: 'detached' });
    await page.evaluate((html) => document.querySelector('main')?.insertAdjacentHTML('beforeend', html), html);
    await until(() => leftOf(page)).toBe(192);
  });

  it('follows its element in a scroll container, and hides while it is scrolled out of view', async () => {
    await harness.createTour([{ title: 'Hello', ...at('#t', { placement: 'right' }) }]);
    const body = `<div id=outer style="height:400px;width:300px;overflow:auto"><div id=inner style="height:300px;overflow:auto;margin-top:100px">
      <div style="height:150px"></div><button id=t style="height:40px;width:80px">T</button><div style="height:900px"></div></div><div style="height:900px"></div></div>`;
    const page = await open({ body });
    await dialog(page).waitFor();
    const before = await topOf(page);
    const scroll = (id: string, top: number) =>
      page.locator(id).evaluate((one, top) => one.scrollTo({ top, behavior: 'instant' }), top);
    await scroll('#inner', 50);
    await until(() => topOf(page)).toBe(before - 50);
    await scroll('#outer', 30);
    await until(() => topOf(page)).toBe(before - 80);
    await scroll('#inner', 600);
    await dialog(page).waitFor({ state: 'hidden' });
    await scroll('#inner', 50);
    await dialog(page).waitFor();
    expect(await topOf(page)).toBe(before - 80);
  });

  it('scrolls its element into view', async () => {
    await harness.createTour([{ title: 'Hello', ...at('#t') }]);
    const page = await open({
      body: '<div style="height:3000px"></div><button id=t>T</button><p style="height:2000px">',
    });
    await dialog(page).waitFor();
    await until(() => page.locator('#t').evaluate((one) => one.getBoundingClientRect().top < innerHeight)).toBe(true);
  });

  it('finds its element by selector, by text, in a shadow root and in a frame', async () => {
    await harness.createTour([
      { title: 'Shadow', ...at('', { elements: [{ selector: '#host', shadow_selector: 'b' }] }) },
      { title: 'Frame', ...at('#framed', { placement: 'bottom' }) },
      { title: 'Text', ...at('', { elements: [{ text: 'Save  all' }], placement: 'right' }) },
      { title: 'Both', ...at('', { elements: [{ selector: '#no' }, { selector: 'p', text: 'Do' }] }) },
      { title: 'Button', ...at('', { elements: [{ text: 'Send it' }], placement: 'right' }) },
    ]);
    const body = `<div id=host></div><iframe srcdoc="<p style='margin:100px 0 0 50px;width:60px' id=framed>F</p>" style="position:absolute;left:200px;top:100px;border:0;width:300px;height:300px"></iframe>
      <p>Do not</p><p style="width:100px">Save <i>all</i></p><input type=submit value="Send it" style="width:90px"><script>document.getElementById('host').attachShadow({mode:'open'}).innerHTML='<b>in</b>'</script>`;
    const page = await open({ body });
    await dialog(page, 'Shadow').waitFor();
    await next(page);
    await dialog(page, 'Frame').waitFor();
    const box = await dialog(page, 'Frame').boundingBox();
    expect(Math.round((box?.x ?? 0) + (box?.width ?? 0) / 2)).toBe(288);
    for (const title of ['Text', 'Both', 'Button']) {
      await next(page);
      await dialog(page, title).waitFor();
    }
  });

  it('is not shown under a dialog of the page, and can be used inside of one', async () => {
    await harness.createTour([{ title: 'Hello', ...at('#target') }]);
    const body =
      '<button id=target>T</button><dialog id=d style="width:90vw;height:90vh"><button id=in>In</button></dialog>';
    const page = await open({ body });
    await dialog(page).waitFor();
    await page.evaluate(() => (document.getElementById('d') as HTMLDialogElement).showModal());
    await dialog(page).waitFor({ state: 'detached' });
    await page.evaluate(() => document.getElementById('d')?.append(document.getElementById('target') as Node));
    await dialog(page).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await dialog(page).waitFor({ state: 'detached' });
  });

  it('shows in browsers without a top layer', async () => {
    await harness.createTour([{ title: 'Hello', ...at('#t') }]);
    const init = 'delete HTMLElement.prototype.showPopover;delete HTMLElement.prototype.popover';
    // The overlay is above the box, but not above the element.
    const body =
      '<button id=t style="height:20px">T</button><div style="position:fixed;inset:32px 0 0;z-index:99999;background:#fff8"></div>';
    const page = await open({ init, body });
    await page.getByRole('button', { name: 'Done' }).click();
    await dialog(page).waitFor({ state: 'detached' });
  });
});

describe('a step without an element', () => {
  it('hides for a modal dialog of the page, and shows again after it', async () => {
    await harness.createTour([{ title: 'Hello' }]);
    const page = await open({ body: '<dialog id=d><button id=in>In</button></dialog>' });
    await dialog(page).waitFor();
    await page.evaluate(() => (document.getElementById('d') as HTMLDialogElement).showModal());
    await page.getByRole('dialog', { name: 'Hello' }).waitFor({ state: 'detached' });
    await page.click('#in');
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => (document.getElementById('d') as HTMLDialogElement).open)).toBe(false);
    await page.getByRole('dialog', { name: 'Hello' }).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await dialog(page).waitFor({ state: 'detached' });
  });
});

describe('a step for a URL', () => {
  it.each([
    ['by the Navigation API', ''],
    ['by the history, where there is no such', `Object.defineProperty(window,'navigation',{value:undefined})`],
  ])('shows on that URL, there and back, %s', async (_, init) => {
    await harness.createTour([
      { title: 'One', quantifier_urls: [{ url: '/' }] },
      { title: 'Two', quantifier_urls: [{ url: '/two' }] },
      { title: 'Three', quantifier_urls: [{ url: '*#/three', match_type: 'simple' }] },
    ]);
    const page = await open({ init });
    await dialog(page, 'One').waitFor();
    await next(page);
    await dialog(page, 'One').waitFor({ state: 'detached' });
    expect(await dialog(page, 'Two').count()).toBe(0);
    await page.evaluate(() => history.pushState(null, '', `/two${location.search}`));
    await dialog(page, 'Two').waitFor();
    await until(() => harness.requests.filter((one) => one.endsWith('/visits')).length).toBe(2);
    await page.goBack();
    await dialog(page, 'Two').waitFor({ state: 'detached' });
    await page.goForward();
    await dialog(page, 'Two').waitFor();
    // The page is loaded again, and the tour continues there.
    await page.reload();
    await dialog(page, 'Two').waitFor();
    await next(page);
    await dialog(page, 'Two').waitFor({ state: 'detached' });
    await page.evaluate(() => {
      location.hash = '#/three';
    });
    await dialog(page, 'Three').waitFor();
    await page.evaluate(() => history.replaceState(null, '', `/four${location.search}`));
    await dialog(page, 'Three').waitFor({ state: 'detached' });
  });

  it('does not change the history of the page', async () => {
    const init = `Object.defineProperty(window,'navigation',{value:undefined});const own=history.pushState;history.pushState=function(...given){window.pushed=[this===history,...given];return own.apply(this,given)}`;
    const page = await open({ init });
    await page.evaluate(() => history.pushState({ a: 1 }, '', '/two'));
    expect(await page.evaluate(() => [(window as never as { pushed: unknown }).pushed, history.state])).toEqual([
      [true, { a: 1 }, '', '/two'],
      { a: 1 },
    ]);
    expect(await page.evaluate(() => history.pushState.call(history, null, '', '/three'))).toBeUndefined();
  });

  it('is matched by a regular expression too', async () => {
    const quantifier_urls = [{ url: '/t[wh]o[?]', match_type: 'regex' }];
    await harness.createTour([{ title: 'One' }, { title: 'Two', quantifier_urls }]);
    const page = await open();
    await next(page);
    expect(harness.requests).toContain('extras_regex');
    await page.evaluate(() => history.pushState(null, '', `/two${location.search}`));
    await dialog(page, 'Two').waitFor();
  });
});

describe('a trigger', () => {
  type Act = (selector: string, frame?: string[]) => Promise<void>;
  const actsOn = (page: Page, trigger: string): Act => {
    return async (selector, frames = []) => {
      const inner = frames.reduce<Page | ReturnType<Page['frameLocator']>>((of, frame) => of.frameLocator(frame), page);
      const one = inner.locator(selector);
      if (trigger === 'click') await one.click();
      else if (trigger === 'hover') await one.hover();
      else await one.fill('x');
    };
  };

  it.each(['click', 'hover', 'input'])('is %s on its element only', async (secondary_trigger) => {
    await harness.createTour([{ title: 'Hello', secondary_trigger, elements: [{ selector: '.it' }] }]);
    const page = await open({ body: '<input class=other><input class=it>' });
    const act = actsOn(page, secondary_trigger);
    await act('.other');
    expect(await dialog(page).count()).toBe(0);
    await act('.it');
    await dialog(page).waitFor();
  });

  it.each(['click', 'hover', 'input'])('is %s in a frame, and in a frame inside of that', async (secondary_trigger) => {
    const step = {
      title: 'Hello',
      secondary_trigger,
      elements: [{ selector: '.it' }],
      position_type: 'snap_to_trigger',
    };
    await harness.createTour([step]);
    const inner = `<input class=it style='margin:60px'>`;
    const body = `<iframe id=a style="height:300px" srcdoc="<input class=other><iframe id=b srcdoc=&quot;${inner}&quot;></iframe>"></iframe>`;
    const page = await open({ body });
    const act = actsOn(page, secondary_trigger);
    await act('.other', ['#a']);
    expect(await dialog(page).count()).toBe(0);
    await act('.it', ['#a', '#b']);
    await dialog(page).waitFor();
  });

  it('is a click in a frame that is added later', async () => {
    await harness.createTour([{ title: 'Hello', secondary_trigger: 'click', elements: [{ selector: '.it' }] }]);
    const page = await open();
    await page.evaluate(() => {
      const frame = document.createElement('iframe');
      frame.srcdoc = '<button class=it>It</button>';
      document.body.append(frame);
    });
    await until(async () => {
      await page.frameLocator('iframe').locator('.it').click();
      return dialog(page).count();
    }).toBe(1);
  });

  it('places the step beside the clicked element if its author chose that', async () => {
    const step = { secondary_trigger: 'click', elements: [{ selector: '.it' }], position_type: 'snap_to_trigger' };
    await harness.createTour([{ title: 'Hello', ...step, placement: 'right' }]);
    const it = (left: number) =>
      `<button class=it style="position:absolute;top:200px;left:${left}px;width:50px">${left}</button>`;
    const page = await open({ body: it(20) + it(300) });
    await page.click('text="300"');
    await until(() => leftOf(page)).toBe(362);
  });

  it('moves to the next step after a step without buttons', async () => {
    await harness.createTour([
      { title: 'One' },
      { title: 'Two', secondary_trigger: 'click', elements: [{ selector: '#b' }] },
    ]);
    const page = await open({ body: '<button id=b>B</button>' });
    await dialog(page, 'One').waitFor();
    expect(await page.getByRole('button', { name: 'Next' }).count()).toBe(0);
    await page.click('#b');
    await dialog(page, 'Two').waitFor();
  });

  it('is an element that appears or disappears', async () => {
    const come = { step_trigger: 'element_match', elements: [{ selector: '#e' }] };
    const go = { step_trigger: 'element_not_match', elements: [{ selector: '#e' }] };
    await harness.createTour([
      { title: 'Come', ...come },
      { title: 'Gone', ...go },
    ]);
    const page = await open();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<p id=e>E</p>'));
    await next(page);
    await dialog(page, 'Come').waitFor({ state: 'detached' });
    expect(await dialog(page, 'Gone').count()).toBe(0);
    await page.evaluate(() => document.getElementById('e')?.remove());
    await dialog(page, 'Gone').waitFor();
    // Once the step is visible, it stays.
    await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<p id=e>E</p>'));
    await page.getByRole('button', { name: 'Done' }).click();
  });

  it('is a time on the page', async () => {
    await harness.createTour([{ title: 'Hello', secondary_trigger: 'time_on_page', trigger_delay: 100 }]);
    const page = await open({ clock: true });
    await page.clock.fastForward(50_000);
    expect(await dialog(page).count()).toBe(0);
    await page.clock.fastForward(50_000);
    await dialog(page).waitFor();
  });

  it('is a delay after an action of the user', async () => {
    const step = { secondary_trigger: 'click', elements: [{ selector: '#b' }], trigger_delay: 100 };
    await harness.createTour([{ title: 'Hello', ...step }]);
    const page = await open({ clock: true, body: '<button id=b>B</button>' });
    await page.clock.fastForward(200_000);
    await page.click('#b');
    await page.clock.fastForward(50_000);
    expect(await dialog(page).count()).toBe(0);
    await page.clock.fastForward(50_000);
    await dialog(page).waitFor();
  });

  it('is a time without input of the user', async () => {
    await harness.createTour([{ title: 'Hello', secondary_trigger: 'smart_delay', trigger_delay: 100 }]);
    const page = await open({ clock: true, body: '<iframe srcdoc="<p>F</p>"></iframe>' });
    for (const busy of [
      () => page.mouse.move(300, 300),
      () => page.keyboard.press('a'),
      () => page.frameLocator('iframe').locator('p').hover(),
    ]) {
      await page.clock.fastForward(60_000);
      await busy();
    }
    await page.clock.fastForward(60_000);
    expect(await dialog(page).count()).toBe(0);
    await page.clock.fastForward(40_000);
    await dialog(page).waitFor();
  });

  it('is code of its author if the account allows it', async () => {
    await harness.api.patch('/v3/edit/account', { allow_scripts: true });
    await harness.createTour([
      { title: 'Hello', secondary_trigger: 'custom_trigger', custom_trigger: 'return window.ready' },
    ]);
    const page = await open();
    expect(await dialog(page).count()).toBe(0);
    await page.evaluate(() => {
      Object.assign(window, { ready: true });
      document.body.append('changed');
    });
    await dialog(page).waitFor();
    await harness.api.patch('/v3/edit/account', { allow_scripts: false });
  });
});

describe('an element that is not found', () => {
  it.each([
    ['not_found', [{ selector: '#gone' }]],
    ['hidden', [{ selector: '#hidden' }]],
    ['text_differs', [{ selector: '#there', text: 'Other' }]],
    ['no_shadow_root', [{ selector: '#there', shadow_selector: 'b' }]],
    ['covered', [{ selector: '#there' }]],
  ])('is reported when the page closes: %s', async (reason, elements) => {
    const tour = await harness.createTour([{ title: 'Hello', elements, position_type: 'snap_to_element' }]);
    const covering = '<dialog open style="position:fixed;inset:0;margin:0;width:100vw;height:100vh">D</dialog>';
    const body = `<p id=hidden hidden>H</p><p id=there>T</p>${reason === 'covered' ? covering : ''}`;
    const page = await open({ clock: true, body });
    await page.clock.fastForward(3000);
    await page.goto('about:blank');
    const problems = async () => (await harness.api.get(`/v3/analyze/tours/${tour.id}/problems`)).body.problems;
    await until(problems).toMatchObject([{ step_id: tour.steps[0]?.id, path: '/', reason, users_count: 1 }]);
  });
});
