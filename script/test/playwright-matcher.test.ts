import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { matchers, type ShowExperienceOptions } from '../../playwright/index.js';
import { at, type Harness, uid, useHarness } from './browser.ts';

interface ShowMatchers<Result = unknown> {
  toShowExperience(experience: string, options?: ShowExperienceOptions): Promise<Result>;
}
declare module 'vitest' {
  interface Matchers<T> extends ShowMatchers<T> {}
}

expect.extend(matchers);
const harness = useHarness();
const body = '<button id="save">Save</button>';
const options = () => ({ timeout: 500, server: harness.api.url, secret: harness.api.account.account_secret });

async function open(site: Parameters<Harness['open']>[0] = { body }, user = uid): Promise<Page> {
  return harness.open(site, { uid: user });
}

/** The message of a failed assertion. */
const failureOf = (assertion: Promise<unknown>) =>
  assertion.then(
    () => 'It passed',
    (error: Error) => error.message,
  );

afterEach(() => {
  expect(process.env.ACCOUNT_SECRET).toBeUndefined();
});

describe('expect(page).toShowExperience', () => {
  it('passes when the page shows the Experience with this ID, or with this name', async () => {
    const { id } = await harness.createTour([at('#save')], { name: 'Saving' });
    const page = await open();
    await expect(page).toShowExperience(id, { timeout: 10_000 });
    await expect(page).toShowExperience('Saving', options());
    await expect(failureOf(expect(page).not.toShowExperience(id, { timeout: 300 }))).resolves.toBe(
      `The page shows “${id}”, and should not`,
    );
  });

  it('says what the Experience waits for, as the debug panel does, and closes the panel', async () => {
    const { id } = await harness.createTour([at('#gone')], { name: 'Waiting' });
    const page = await open();
    await expect(page).not.toShowExperience(id, { timeout: 300 });
    expect(await failureOf(expect(page).toShowExperience(id, { timeout: 500 }))).toBe(
      `The page has not shown “${id}” within 500 ms\n  Element not found: #gone (not_found)`,
    );
    expect(await page.getByRole('region', { name: 'Usher debug' }).count()).toBe(0);
  });

  it('says why the server does not send an Experience, with a secret', async () => {
    const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'trial' }];
    const { segment } = (await harness.api.post('/v3/edit/segments', { name: 'Trial users', items })).body;
    const { id } = await harness.createTour([{ title: 'Hello' }], { name: 'For trials', segment_ids: [segment.id] });
    const page = await open();
    expect(await failureOf(expect(page).toShowExperience('For trials', options()))).toBe(
      `The page has not shown “For trials” (${id}) within 500 ms\n  The user is not in the Segment “Trial users”`,
    );
  });

  it('says that the page has no snippet, that the script has not loaded, and that no user was identified', async () => {
    const id = 'f'.repeat(24);
    const fail = async (site: object, user = uid) =>
      failureOf(expect(await open({ body, ...site }, user)).toShowExperience(id, { timeout: 100 }));
    expect(await fail({ loader: null })).toContain('The page has no `usher`: is the snippet in it?');
    expect(await fail({ loader: 'http://127.0.0.1:1/none.js' })).toContain('The script of Usher has not loaded');
    expect(await fail({}, '')).toContain('The page has not called usher.identify() yet');
  });

  it('explains a name that it cannot look up, or that no live Experience or several have', async () => {
    const page = await open();
    const messageFor = (name: string, given: object = options()) =>
      failureOf(expect(page).toShowExperience(name, given));
    expect(await messageFor('Saving', {})).toContain('set USHER_URL and ACCOUNT_SECRET, or give its ID');
    expect(await messageFor('Nothing')).toBe('No live Experience has the name “Nothing”');
    for (let count = 0; count < 2; count++) await harness.createTour([{ title: 'Hello' }], { name: 'Twice' });
    expect(await messageFor('Twice')).toContain('Several live Experiences have the name “Twice”: give the ID, ');
    expect(await messageFor('Saving', { ...options(), secret: 'wrong' })).toContain('answered 403: ');
  });
});
