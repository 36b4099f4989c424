import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { dialog, uid, useHarness } from './browser.ts';

const harness = useHarness();
beforeEach(async () => {
  await harness.createReadyLauncher();
});

/** Creates a tour by an import, as a service that describes elements in its own way. */
async function importTour(...steps: object[]): Promise<void> {
  const { id } = await harness.createTour([{ title: 'Empty' }], { published_at: null });
  const all = steps.map((step, at) => ({ title: at === 0 ? 'Hello' : `Step ${at + 1}`, ...step }));
  const { status, body } = await harness.api.post(`/v3/edit/tours/${id}/import`, {
    ...{ name: 'Imported', steps: all },
  });
  expect([status, body.messages]).toEqual([200, undefined]);
  expect((await harness.api.patch(`/v3/edit/tours/${id}`, { published_at: '$now' })).status).toBe(200);
}
const open = (body: string) => harness.openReady({ body }, { uid });
/** How far the step is from the left edge of the window, in hundreds of pixels. */
const columnOf = async (page: Page) => Math.floor(((await dialog(page).boundingBox())?.x ?? -1) / 100);

/** Many buttons that are not the one. */
const decoys = [
  '',
  'id=a',
  'class="b c"',
  'title=d',
  'name=e',
  'data-f=g',
  'aria-label=h',
  'aria-labelledby=i',
  'type=reset',
]
  .map((attributes) => `<button ${attributes} style="position:absolute;left:0;top:0">No</button>`)
  .join('');
const page = (attributes: string, text = 'No') =>
  `<main>${decoys}<section><button ${attributes} style="position:absolute;left:500px;top:200px;width:80px;height:40px">${text}</button></section></main>`;

describe('an imported element', () => {
  it.each<[string, object, string]>([
    ['its ID', { attr_id: '7:x' }, 'id=7:x'],
    ['its tag and classes', { tag: 'BUTTON', attr_class: 'b 2xl' }, 'class="a 2xl b"'],
    ['its title, with quotes', { attr_title: 'say "hi"' }, `title='say "hi"'`],
    ['its name and type', { attr_name: 'go', attr_type: 'submit' }, 'name=go type=submit'],
    ['its data as a text', { attr_data: 'data-test="save"' }, 'data-test=save'],
    ['its data as an object', { attr_data: { testId: 'save' } }, 'data-test-id=save'],
    ['its label', { attr_aria_label: 'Save it' }, 'aria-label="Save it"'],
    ['what labels it', { attr_aria_labelledby: 'l' }, 'aria-labelledby=l'],
    ['its path', { path: 'main > section > button' }, ''],
    [
      'a selector with what is used beside it',
      { selector: 'button', attr_id: 'x', tag: 'i', use: ['attr_id'] },
      'id=x',
    ],
    ['its tag and text', { tag: 'button', text: 'Save' }, ''],
  ])('is found by %s', async (_, element, attributes) => {
    await importTour({ position_type: 'snap_to_element', placement: 'right', position_element: element });
    const opened = await open(page(attributes, 'text' in element ? 'Save' : 'No'));
    await dialog(opened).waitFor();
    expect(await columnOf(opened)).toBe(5);
  });

  it('is found by its link', async () => {
    await importTour({
      position_type: 'snap_to_element',
      placement: 'right',
      position_element: { attr_href: '/a?b=1' },
    });
    const opened = await open(
      '<a href="/a">No</a><a href="/a?b=1" style="position:absolute;left:520px;top:200px">Yes</a>',
    );
    await dialog(opened).waitFor();
    expect(await columnOf(opened)).toBe(5);
  });

  it('is found in nested shadow roots, by a path and an attribute of the innermost element', async () => {
    const position_element = {
      selector: 'my-app',
      shadow_selector: 'my-menu >>> a',
      attr_data: { test: 'x' },
      use: ['attr_data'],
    };
    await importTour({ position_type: 'snap_to_element', placement: 'right', position_element });
    const opened = await open(`<my-app></my-app><script>
      const menu = document.querySelector('my-app').attachShadow({ mode: 'open' }).appendChild(document.createElement('my-menu'));
      menu.attachShadow({ mode: 'open' }).innerHTML = '<a>No</a><a data-test=x style="position:absolute;left:520px;top:200px">Yes</a>';
    </script>`);
    await dialog(opened).waitFor();
    expect(await columnOf(opened)).toBe(5);
  });

  it('starts a step when it is on the page, and by a click', async () => {
    const [there, click] = [{ attr_id: 'there' }, { tag: 'button', attr_class: 'go' }];
    await importTour(
      { step_trigger: 'element_match', trigger_element: there, buttons: [{ text: 'Next', tour_action: 'next' }] },
      { secondary_trigger: 'click', trigger_secondary_element: click },
    );
    const opened = await open('<button class=go>Go</button><main></main>');
    expect(await dialog(opened).count()).toBe(0);
    await opened.evaluate(() =>
      document.querySelector('main')?.insertAdjacentHTML('beforeend', '<p id=there>Here</p>'),
    );
    await dialog(opened).waitFor();
    await dialog(opened).getByRole('button', { name: 'Next' }).click();
    await dialog(opened).waitFor({ state: 'detached' });
    await opened.getByRole('button', { name: 'Go' }).click();
    await dialog(opened, 'Step 2').waitFor();
  });

  it('is clicked by a button', async () => {
    const action_element = { attr_aria_label: 'Open it' };
    const buttons = [{ text: 'Do it', additional_actions: ['element_click', 'helpbar'], action_element }];
    await importTour({ buttons });
    const opened = await open(
      '<button>No</button><button aria-label="Open it" onclick="document.title=\'Opened\'">x</button>',
    );
    await dialog(opened).getByRole('button', { name: 'Do it' }).click();
    await expect.poll(() => opened.title()).toBe('Opened');
  });
});
