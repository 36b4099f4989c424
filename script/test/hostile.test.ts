import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PageExperience } from '../src/wire.ts';
import { gallery } from './kinds-gallery.ts';
import { calls, clear, HREF, load, openPage, type PageOptions, show, showAlone } from './kinds-page.ts';
import { closeContexts } from './shared-browser.ts';

/* Pages whose styles affect everything on them, by accident or not. */
const preflight = `*,::before,::after,::backdrop{box-sizing:border-box;border:0 solid;margin:0;padding:0}
  html,:host{line-height:1.9;font-family:serif;tab-size:4}h1,h2,h3{font-size:inherit;font-weight:inherit}a{color:inherit;text-decoration:inherit}
  ol,ul,menu{list-style:none}img,svg,video,canvas{display:block;vertical-align:middle}button,input,select,textarea{font:inherit;letter-spacing:inherit;color:inherit;background-color:transparent;opacity:.9;border-radius:0}
  ::placeholder{opacity:.2}textarea{resize:none}`;
const shifted =
  'transform:translate(9px,9px) scale(.5);filter:grayscale(1);contain:paint;perspective:9px;will-change:transform;opacity:.5';

const pages: Record<string, PageOptions> = {
  'that unsets everything': {
    css: `*,*::before,*::after{all:unset!important;display:block!important;transform:scale(.5)!important;color:red!important;font:40px serif!important}`,
  },
  'with the reset of a framework': { css: preflight },
  'that hides tags it does not know': {
    css: `usher-layer,:not(:defined){display:none!important;visibility:hidden!important;opacity:.1!important;position:static!important}.box,.main,.title,.act,.open{display:none!important}`,
  },
  'under an element of the highest z-index': {
    css: 'body::after{content:"";position:fixed;inset:0;z-index:2147483647;background:#fffa;pointer-events:none}',
  },
  'that is transformed, filtered and contained': { css: `html,body{${shifted}}` },
  'with letters of its own': {
    css: ':root{font-size:40px;line-height:3;letter-spacing:9px;word-spacing:20px;text-transform:uppercase;text-align:center;font-style:italic;cursor:wait;user-select:none;white-space:pre;writing-mode:vertical-rl;pointer-events:none}',
  },
  'with popovers of its own': {
    css: '[popover],[popover]:popover-open{display:grid!important;inset:auto 0 0 auto!important;width:90vw!important;background:red!important;padding:40px!important;transition:all 9s!important;animation:none!important;overflow:hidden!important;clip-path:inset(50%)!important}::backdrop{background:red!important}',
  },
  'with variables of the same names': {
    css: `:root,*{--bg:red!important;--fg:red!important;--radius:99px!important;--pad:99px!important;--x:99px!important;--accent:red!important}`,
  },
};

let page: Page;
let plain: Record<string, string[]>;
beforeAll(async () => {
  page = await openPage();
  plain = await looks();
  expect(Object.values(plain).filter((look) => look.length < 4)).toEqual([]);
});
afterAll(closeContexts);

/** Describes how each Experience of the gallery looks: its elements, their styles, and their position in the window or in the box. */
function looks(): Promise<Record<string, string[]>> {
  return page.evaluate(async (text) => {
    const all = JSON.parse(text) as Record<string, PageExperience>;
    const inside = () =>
      [...document.querySelectorAll('usher-layer')].flatMap((host) => [
        ...(host.shadowRoot?.querySelectorAll<HTMLElement>(':host > :not(.announcer), :host > :not(.announcer) *') ??
          []),
      ]);
    const seen: Record<string, string[]> = {};
    for (const [name, experience] of Object.entries(all)) {
      // The hint opens only on a click of a real user, which code cannot make. It looks the same when it opens on
      // focus.
      if (name === 'a tooltip at an icon') Object.assign(experience.steps?.[0] ?? {}, { secondary_trigger: undefined });
      window.kinds.show(experience);
      window.kinds.open();
      if (name === 'a tooltip') document.querySelector('#churn')?.dispatchEvent(new FocusEvent('focusin'));
      if (name === 'a tooltip at an icon')
        inside()
          .find((one) => one.matches('.hint'))
          ?.dispatchEvent(new FocusEvent('focusin'));
      await new Promise(requestAnimationFrame);
      const box = inside().find((one) => one.matches('.box')) as HTMLElement;
      const isFree = 'at' in box.dataset;
      const from = isFree ? { left: 0, top: 0 } : box.getBoundingClientRect();
      seen[name] = inside().map((one) => {
        const { left, top, width, height } = one.getBoundingClientRect();
        const isMeasured = isFree || (box.contains(one) && !box.matches('.inline'));
        const style = getComputedStyle(one);
        const read = (...names: string[]) => names.map((key) => style.getPropertyValue(key)).join(' ');
        // The ring is not compared: its target is at another place in each page, and has another radius.
        if (one.matches('.ring')) return '';
        return [
          `${one.localName}.${one.className}`,
          isMeasured && [left - from.left, top - from.top, width, height].map(Math.round).join(),
          read(
            'color',
            'background-color',
            'border-color',
            'border-width',
            'border-radius',
            'box-shadow',
            'fill',
            'stroke',
          ),
          read(
            'font',
            'letter-spacing',
            'text-transform',
            'text-align',
            'text-decoration',
            'white-space',
            'writing-mode',
          ),
          // A box beside an element has the place of the element.
          !one.dataset.side && read('transform'),
          read('display', 'position', 'visibility', 'opacity', 'filter', 'list-style-type', 'resize', 'cursor'),
        ].join(' | ');
      });
      window.kinds.clear();
    }
    return seen;
  }, JSON.stringify(gallery));
}

describe.each(Object.entries(pages))('a page %s', (_, options) => {
  beforeAll(() => load(page, options));

  it('does not change how Experiences look', async () => {
    const seen = await looks();
    const changed = Object.keys(gallery).flatMap((name) =>
      (plain[name] ?? []).flatMap((look, at) => (seen[name]?.[at] === look ? [] : [[name, look, seen[name]?.[at]]])),
    );
    expect(changed).toEqual([]);
  });

  it('does not break steps, lists and questions', async () => {
    await showAlone(page, 'a step at an element');
    await press('Next');
    await page.getByRole('img', { name: 'Step 2 of 2' }).waitFor();
    await page.keyboard.press('Escape');
    await showAlone(page, 'a checklist');
    await press('Create a report');
    await showAlone(page, 'an NPS');
    await page.getByRole('radio', { name: '7', exact: true }).click();
    expect((await calls(page)).slice(-4)).toEqual([
      { show: 'c2', group_kind: 'launcher', group_id: 'launcher' },
      { state: 'started', step_id: 's1' },
      { step_id: 's1', href: HREF, response: { value: '7' } },
      { state: 'completed', step_id: 's1' },
    ]);
    await clear(page);
  });
});

describe('a page with a dialog open', () => {
  const body = '<button id=new>New</button><dialog id=d><p>Words</p><button id=in>In</button></dialog>';
  const isOver = (selector: string) =>
    page.locator(selector).evaluate((one) => {
      const { left, top, width, height } = one.getBoundingClientRect();
      return document.elementFromPoint(left + width / 2, top + height / 2)?.localName;
    });
  const tour = (fields: object): PageExperience => ({
    id: 't',
    kind: 'tour',
    steps: [{ id: 's1', title: ['Hi'], ...fields }],
  });
  const openDialog = (how: 'show' | 'showModal') =>
    page.evaluate((name) => (document.getElementById('d') as HTMLDialogElement)[name](), how);

  it('shows Experiences above a dialog that is not modal', async () => {
    await load(page, { body });
    await openDialog('show');
    await show(page, tour({ backdrop: true }));
    expect(await isOver('.box')).toBe('usher-layer');
    await press('Done');
  });

  it('shows a usable step at an element of a modal dialog', async () => {
    await load(page, { body });
    await openDialog('showModal');
    await show(page, tour({ elements: [{ selector: '#in' }], position_type: 'snap_to_element' }));
    expect(await isOver('.box')).toBe('usher-layer');
    await press('Done');
    expect((await calls(page)).at(-1)).toEqual({ state: 'completed', step_id: 's1' });
  });

  it('leaves Escape to the dialog', async () => {
    await load(page, { body });
    await show(page, tour({ screen_position: 'top_left' }));
    await openDialog('showModal');
    await page.keyboard.press('Escape');
    expect(await page.locator('#d').evaluate((dialog) => (dialog as HTMLDialogElement).open)).toBe(false);
    expect(await page.getByRole('dialog', { name: 'Hi' }).count()).toBe(1);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog', { name: 'Hi' }).count()).toBe(0);
  });

  it('shows a step without an element when the modal dialog is closed', async () => {
    await load(page, { body });
    await openDialog('showModal');
    await show(page, tour({ screen_position: 'bottom_right' }));
    await page.locator('#d').evaluate((dialog) => (dialog as HTMLDialogElement).close());
    await press('Done');
    expect((await calls(page)).at(-1)).toEqual({ state: 'completed', step_id: 's1' });
  });
});

function press(name: string): Promise<void> {
  return page.getByRole('button', { name, exact: true }).click({ timeout: 3000 });
}
