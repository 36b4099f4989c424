import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { dialog, uid, until, useHarness } from './browser.ts';

/* Tests what the buttons of a step do to the page, the user and the server, and where a step is placed. */

const harness = useHarness();

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const profile = async () =>
  (await harness.api.get('/v3/analyze/profile', { query: `uid=${encodeURIComponent(uid)}` })).body;

/** Shows a tour with one step that has this button, and clicks it. */
async function pressed(button: object, body = '', more: object[] = []): Promise<Page> {
  await harness.createTour([{ title: 'Hello', buttons: [{ text: 'Do it', ...button }] }, ...more]);
  const page = await harness.open({ body }, { uid });
  await dialog(page).waitFor();
  await press(page, 'Do it');
  return page;
}

describe('a button', () => {
  it('goes to the next step, to the previous step, and exits', async () => {
    const buttons = ['next', 'previous', 'exit'].map((tour_action) => ({ text: tour_action, tour_action }));
    const tour = await harness.createTour([
      { title: 'One', buttons },
      { title: 'Two', buttons },
    ]);
    const page = await harness.open({}, { uid });
    for (const [title, action] of [
      ['One', 'next'],
      ['Two', 'previous'],
      ['One', 'next'],
    ] as const) {
      await dialog(page, title).waitFor();
      await press(page, action);
    }
    await dialog(page, 'Two').waitFor();
    await press(page, 'exit');
    await until(() => harness.interactions(tour.id)).toMatchObject([{ state: 'exited' }]);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('opens an address, in this window or a new one', async () => {
    const to = { additional_actions: ['cta_url'], action_url: '/there' };
    const page = await pressed({ ...to, tour_action: 'next' });
    await page.waitForURL('**/there');
    await harness.reset();
    await harness.createTour([{ title: 'Hello', buttons: [{ text: 'Do it', ...to, action_new_window: true }] }]);
    const other = await harness.open({}, { uid });
    await dialog(other).waitFor();
    const [window] = await Promise.all([other.waitForEvent('popup'), press(other, 'Do it')]);
    await window.waitForURL('**/there');
    expect(await window.evaluate(() => opener)).toBeNull();
  });

  it('clicks an element of the page, sets a property of the user, and tags the user', async () => {
    const click = { additional_actions: ['element_click'], action_element: { selector: '#b' } };
    const values = { action_property: 'likes', action_value: 'tea', action_tag: 'vip' };
    const tell = { text: 'Tell', additional_actions: ['property', 'tag_user'], ...values };
    const body = '<button id=b onclick="document.title=`clicked`">B</button>';
    const next = { title: 'Two', buttons: [tell] };
    const page = await pressed({ ...click, tour_action: 'next' }, body, [next]);
    expect(await page.title()).toBe('clicked');
    await press(page, 'Tell');
    await until(profile).toMatchObject({ profile: { likes: 'tea', tag_vip: true } });
  });

  it('starts a survey, and a button of that survey starts a tour', async () => {
    const tour = await harness.createTour([{ title: 'Tour' }], { style: 'manual' });
    const buttons = [{ text: 'Good', additional_actions: ['tour'], action_campaign_id: tour.id }, { text: 'Bad' }];
    const steps = [{ title: 'Survey', preset: 'survey_two', buttons }];
    const survey = await harness.create('survey', { style: 'manual', steps });
    const page = await pressed({ additional_actions: ['survey'], action_campaign_id: survey.id, tour_action: 'next' });
    await dialog(page, 'Survey').waitFor();
    await press(page, 'Good');
    await dialog(page, 'Tour').waitFor();
    await until(() => harness.interactions(survey.id)).toMatchObject([
      { state: 'completed', group_id: expect.anything() },
    ]);
    await until(() => harness.interactions(tour.id)).toMatchObject([{ state: 'started' }]);
  });

  it('runs code of its author if the account allows it', async () => {
    const code = { additional_actions: ['code'], action_script: 'document.title = `ran for ` + document.body.id' };
    await harness.api.patch('/v3/edit/account', { allow_scripts: true });
    const page = await pressed(code, '<script>document.body.id = "me"</script>');
    expect(await page.title()).toBe('ran for me');
    await harness.api.patch('/v3/edit/account', { allow_scripts: false });
    const forbidden = await harness.open({}, { uid: `${uid} again` });
    await dialog(forbidden).waitFor();
    await press(forbidden, 'Do it');
    expect(await forbidden.title()).toBe('A page');
  });
});

it('shows a step at its position in the window, beside its element, or inside of it', async () => {
  const body = '<style>body{margin:0}#b{position:absolute;left:300px;top:300px}</style><div id=b>B</div>';
  const elements = [{ selector: '#b' }];
  await harness.createTour([
    { title: 'One', screen_position: 'top_left' },
    { title: 'Two', screen_position: 'bottom_right' },
    { title: 'Three' },
    { title: 'Four', position_type: 'snap_to_element', placement: 'right', elements },
    { title: 'Five', position_type: 'inline', elements },
  ]);
  const page = await harness.open({ body }, { uid });
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  /** The distance of a box from the center of the window. */
  const farFrom = async (title: string) => {
    await dialog(page, title).waitFor();
    const box = (await dialog(page, title).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await press(page, 'Next');
    return { x: box.x + box.width / 2 - width / 2, y: box.y + box.height / 2 - height / 2, box };
  };
  const [corner, other, middle] = [await farFrom('One'), await farFrom('Two'), await farFrom('Three')];
  for (const side of ['x', 'y'] as const) {
    expect(corner[side]).toBeLessThan(-100);
    expect(other[side]).toBeGreaterThan(100);
    // The animation of the box may still be running.
    expect(Math.abs(middle[side])).toBeLessThan(10);
  }
  const target = (await page.locator('#b').boundingBox()) ?? { x: 0, width: 0 };
  const gap = (await farFrom('Four')).box.x - target.x - target.width;
  expect(gap).toBeGreaterThanOrEqual(0);
  expect(gap).toBeLessThan(40);
  const inline = page.getByRole('region', { name: 'Five' });
  expect(await inline.evaluate((element) => (element.getRootNode() as ShadowRoot).host.parentElement?.id)).toBe('b');
});
