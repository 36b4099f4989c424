import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dialog, startWorld, until, type World } from './browser.ts';

/* What the buttons of a step do to the page, the user and the server; and where a step stands. */

let world: World;
let uid = '';
beforeAll(async () => {
  world = await startWorld();
});
beforeEach(async () => {
  uid = await world.reset();
});
afterAll(() => world.stop());

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const profile = async () =>
  (await world.api.get('/v3/analyze/profile', { query: `uid=${encodeURIComponent(uid)}` })).body;

/** Shows a tour of one step with this button, and presses it. */
async function pressed(button: object, body = '', more: object[] = []): Promise<Page> {
  await world.makeTour([{ title: 'Hello', buttons: [{ text: 'Do it', ...button }] }, ...more]);
  const page = await world.open({ body }, { uid });
  await dialog(page).waitFor();
  await press(page, 'Do it');
  return page;
}

describe('a button', () => {
  it('goes to the next step, to the previous step, and exits', async () => {
    const buttons = ['next', 'previous', 'exit'].map((tour_action) => ({ text: tour_action, tour_action }));
    const tour = await world.makeTour([
      { title: 'One', buttons },
      { title: 'Two', buttons },
    ]);
    const page = await world.open({}, { uid });
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
    await until(() => world.interactions(tour.id)).toMatchObject([{ state: 'exited' }]);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('opens an address, in this window or a new one', async () => {
    const to = { additional_actions: ['cta_url'], action_url: '/there' };
    const page = await pressed({ ...to, tour_action: 'next' });
    await page.waitForURL('**/there');
    uid = await world.reset();
    await world.makeTour([{ title: 'Hello', buttons: [{ text: 'Do it', ...to, action_new_window: true }] }]);
    const other = await world.open({}, { uid });
    await dialog(other).waitFor();
    const [window] = await Promise.all([other.waitForEvent('popup'), press(other, 'Do it')]);
    await window.waitForURL('**/there');
    expect(await window.evaluate(() => opener)).toBeNull();
  });

  it('clicks an element of the page, sets a property of the user, and tags the user', async () => {
    const click = { additional_actions: ['element_click'], action_element: { selector: '#b' } };
    const told = { action_property: 'likes', action_value: 'tea', action_tag: 'vip' };
    const tell = { text: 'Tell', additional_actions: ['property', 'tag_user'], ...told };
    const body = '<button id=b onclick="document.title=`clicked`">B</button>';
    const next = { title: 'Two', buttons: [tell] };
    const page = await pressed({ ...click, tour_action: 'next' }, body, [next]);
    expect(await page.title()).toBe('clicked');
    await press(page, 'Tell');
    await until(profile).toMatchObject({ profile: { likes: 'tea', tag_vip: true } });
  });

  it('starts a survey, and a button of that survey starts a tour', async () => {
    const tour = await world.makeTour([{ title: 'Tour' }], { style: 'manual' });
    const buttons = [{ text: 'Good', additional_actions: ['tour'], action_campaign_id: tour.id }, { text: 'Bad' }];
    const steps = [{ title: 'Survey', preset: 'survey_two', buttons }];
    const survey = await world.make('survey', { style: 'manual', steps });
    const page = await pressed({ additional_actions: ['survey'], action_campaign_id: survey.id, tour_action: 'next' });
    await dialog(page, 'Survey').waitFor();
    await press(page, 'Good');
    await dialog(page, 'Tour').waitFor();
    await until(() => world.interactions(survey.id)).toMatchObject([
      { state: 'completed', group_id: expect.anything() },
    ]);
    await until(() => world.interactions(tour.id)).toMatchObject([{ state: 'started' }]);
  });

  it('runs code of its author if the account allows it', async () => {
    const code = { additional_actions: ['code'], action_script: 'document.title = `ran for ` + document.body.id' };
    await world.api.patch('/v3/edit/account', { allow_scripts: true });
    const page = await pressed(code, '<script>document.body.id = "me"</script>');
    expect(await page.title()).toBe('ran for me');
    await world.api.patch('/v3/edit/account', { allow_scripts: false });
    const forbidden = await world.open({}, { uid: `${uid} again` });
    await dialog(forbidden).waitFor();
    await press(forbidden, 'Do it');
    expect(await forbidden.title()).toBe('A page');
  });
});

it('a step shows at its position in the window, beside its element, or inside of it', async () => {
  const body = '<style>body{margin:0}#b{position:absolute;left:300px;top:300px}</style><div id=b>B</div>';
  const elements = [{ selector: '#b' }];
  await world.makeTour([
    { title: 'One', screen_position: 'top_left' },
    { title: 'Two', screen_position: 'bottom_right' },
    { title: 'Three' },
    { title: 'Four', position_type: 'snap_to_element', placement: 'right', elements },
    { title: 'Five', position_type: 'inline', elements },
  ]);
  const page = await world.open({ body }, { uid });
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  /** From the middle of the window. */
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
    // It may still be on its way in.
    expect(Math.abs(middle[side])).toBeLessThan(10);
  }
  const target = (await page.locator('#b').boundingBox()) ?? { x: 0, width: 0 };
  const gap = (await farFrom('Four')).box.x - target.x - target.width;
  expect(gap).toBeGreaterThanOrEqual(0);
  expect(gap).toBeLessThan(40);
  const inline = page.getByRole('region', { name: 'Five' });
  expect(await inline.evaluate((element) => (element.getRootNode() as ShadowRoot).host.parentElement?.id)).toBe('b');
});
