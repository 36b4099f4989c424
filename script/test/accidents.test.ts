import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { at, call, dialog, uid, until, useHarness } from './browser.ts';
import { afterFrames } from './frames.ts';

/* Applications do these things without thinking of the script, and the script must cope with them. */

const harness = useHarness();

const layers = (page: Page) => page.locator('usher-layer').count();

describe('a listener of the page', () => {
  it.each([
    ['clear', 'usher.clear()'],
    ['identify another user', 'usher.identify("somebody else",{})'],
  ])('may %s while a step is painted, and nothing of it stays', async (_, code) => {
    await harness.createTour([at('#b', { backdrop: true }), { title: 'Second' }]);
    const calls = `let n=0;usher.on('tour:event',()=>{if(!n++)${code}});usher.identify(${JSON.stringify(uid)})`;
    const page = await harness.open({ body: '<button id=b>B</button><button id=c>C</button>', calls }, { uid });
    await page.waitForFunction('typeof n!="undefined"&&n>0');
    if (code.includes('clear')) await until(() => layers(page)).toBe(0);
    else {
      await until(() => harness.requests.filter((path) => path.endsWith('/visits')).length).toBe(2);
      await page.locator('.box').waitFor();
      await afterFrames(page, 60);
      expect(await page.locator('.box').count()).toBe(1);
    }
  });

  it('may close a tour, or go to its next step, when its first step is painted', async () => {
    await harness.createTour([{ title: 'Hello' }, { title: 'Second' }]);
    const calls = `usher.on('tour:event',({state})=>{if(state=='started')usher.next()});usher.identify(${JSON.stringify(uid)})`;
    const page = await harness.open({ calls }, { uid });
    await dialog(page, 'Second').waitFor({ timeout: 6000 });
    await call(page, 'close');
    await until(() => layers(page)).toBe(0);
  });

  it.each(['usher.clear()', 'usher.close()', 'usher.next()', 'usher.previous()'])(
    'may call %s in a hook before a step',
    async (code) => {
      await harness.createTour([{ title: 'Hello' }, { title: 'Second' }, { title: 'Third' }]);
      const calls = `usher.before('step',({index})=>{if(index==1)${code}});usher.identify(${JSON.stringify(uid)})`;
      const page = await harness.open({ calls }, { uid });
      await page.getByRole('button', { name: 'Next' }).click();
      if (/clear|close/.test(code)) await until(() => layers(page)).toBe(0);
      else await dialog(page, 'Second').waitFor({ timeout: 6000 });
    },
  );
});

describe('a name that the page uses too', () => {
  it('keeps the events of a form with a field of the name `usher`', async () => {
    await harness.createTour([{ title: 'Hello', screen_position: 'bottom_right' }]);
    const body = '<form><input name=usher><button type=button onclick="window.clicks=1">Go</button></form>';
    const page = await harness.open({ body }, { uid });
    await dialog(page).waitFor({ timeout: 6000 });
    await page.evaluate(() =>
      document.querySelector('input')?.addEventListener('keydown', () => Object.assign(window, { keys: 1 })),
    );
    await page.locator('form input').press('a');
    await page.getByRole('button', { name: 'Go' }).click();
    expect(await page.evaluate('[window.clicks,window.keys]')).toEqual([1, 1]);
  });

  it.each([
    '<div id=usher></div>',
    '<dialog id=usher></dialog>',
    '<form name=usher></form>',
    '<iframe name=usher></iframe>',
  ])('works in a page with %s', async (head) => {
    await harness.createTour([{ title: 'Hello' }]);
    const page = await harness.open({ head }, { uid });
    await dialog(page).waitFor({ timeout: 6000 });
  });

  it.each(['"text"', '5', '()=>1', 'Object.freeze({})'])(
    'causes no error if the page has set `usher` to %s',
    async (value) => {
      const page = await harness.open({ init: `window.usher=${value}`, calls: '' });
      await page.waitForLoadState('networkidle');
    },
  );

  it('finds a text in a form with a field of the name `children`', async () => {
    await harness.createTour([{ title: 'Hello', position_type: 'snap_to_element', elements: [{ text: 'Book now' }] }]);
    const body = '<form><input name=children><input name=style><p>Book now</p></form>';
    const page = await harness.open({ body }, { uid });
    await dialog(page).waitFor({ timeout: 6000 });
  });
});

describe('the keyboard', () => {
  it('reaches the fields of a custom element under a backdrop', async () => {
    await harness.createTour([at('my-field', { backdrop: true })]);
    const init = `customElements.define('my-field',class extends HTMLElement{connectedCallback(){const r=this.attachShadow({mode:'open'});r.innerHTML='<input id=i>';}})`;
    const page = await harness.open({ body: '<my-field></my-field>', init }, { uid });
    await dialog(page).waitFor({ timeout: 6000 });
    const isIn = () => page.evaluate(() => document.activeElement?.localName === 'my-field');
    const seen: boolean[] = [];
    for (let turn = 0; turn < 5; turn++) {
      await page.keyboard.press('Tab');
      seen.push(await isIn());
    }
    expect(seen).toContain(true);
    expect(seen).toContain(false);
  });

  it('does not close a survey with the Escape that ends the composition of a word', async () => {
    await harness.create('survey', { steps: [{ title: 'Hello', preset: 'survey_input' }] });
    const page = await harness.open({}, { uid });
    const field = dialog(page).locator('textarea');
    await field.evaluate((element) =>
      element.dispatchEvent(
        new KeyboardEvent('keydown', {
          key: 'Escape',
          isComposing: true,
          bubbles: true,
          composed: true,
          cancelable: true,
        }),
      ),
    );
    expect(await field.isVisible()).toBe(true);
  });

  it('stays in a step that the page has removed, because the step comes back', async () => {
    await harness.createTour([at('#b', { backdrop: true })]);
    const page = await harness.open({ body: '<button id=b>B</button><button id=c>C</button>' }, { uid });
    await dialog(page).waitFor({ timeout: 6000 });
    const tab = async () => {
      await page.keyboard.press('Tab');
      return page.evaluate(() => document.activeElement?.id || document.activeElement?.localName);
    };
    await page.evaluate(() => document.querySelector('usher-layer')?.remove());
    const meanwhile = [await tab(), await tab()];
    expect(meanwhile).not.toContain('c');
    await dialog(page).waitFor({ timeout: 6000 });
    const afterwards = new Set([await tab(), await tab(), await tab(), await tab()]);
    expect([...afterwards].sort()).toEqual(['b', 'usher-layer']);
  });
});

describe('a page that works for a long time', () => {
  const counters = async (page: Page) => {
    const session = await page.context().newCDPSession(page);
    for (let turn = 0; turn < 3; turn++) await session.send('HeapProfiler.collectGarbage');
    const { nodes, jsEventListeners } = (await session.send('Memory.getDOMCounters')) as never;
    await session.detach();
    return { nodes, jsEventListeners };
  };

  it('keeps nothing of a launcher that was opened and closed', async () => {
    const { id } = await harness.create('launcher', { title: 'Help', items: [{ title: 'Docs', url: '/docs' }] });
    const page = await harness.open({}, { uid });
    await page.getByRole('button', { name: 'Help' }).waitFor();
    const cycle = (times: number) =>
      page.evaluate(
        async ({ id, times }) => {
          const { usher } = window as never as { usher: { show(id: string, options: object): Promise<void> } };
          for (let turn = 0; turn < times; turn++) {
            await usher.show(id, { open: true });
            await usher.show(id, { close: true });
          }
        },
        { id, times },
      );
    await cycle(20);
    const before = await counters(page);
    await cycle(100);
    const after = await counters(page);
    expect(after.nodes - before.nodes).toBeLessThan(50);
  });
});

describe('a dialog in a frame', () => {
  it('shows a step at one of its elements with its style', async () => {
    await harness.createTour([at('#inner')]);
    const page = await harness.open(
      {
        body: `<iframe style="width:500px;height:300px" srcdoc="<div role=dialog><button id=inner>I</button></div>"></iframe>`,
      },
      { uid },
    );
    await dialog(page).waitFor({ timeout: 6000 });
    const position = await page.locator('.box').evaluate((box) => getComputedStyle(box).position);
    expect(position).toBe('fixed');
  });
});
