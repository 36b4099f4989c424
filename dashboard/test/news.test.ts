import { dayOf } from '@usher/domain';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addSignedIn } from '../../server/test/sign-in.ts';
import { accessibilityProblems, type Dashboard, startDashboard, takePicture } from './browser.ts';

const DAY_MS = 24 * 60 * 60_000;

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(() => dashboard.stop());

const panel = (page: Page) => page.getByRole('region', { name: 'Since you were here' });

/** Adds a live tour whose completion rate fell three days ago. */
async function addChanged(): Promise<string> {
  const { api } = dashboard;
  const { account_id } = api.account;
  const params = { name: 'Welcome tour', steps: [{ title: 'Hi' }], published_at: '$now' };
  const { id } = (await api.post('/v3/edit/tours', params)).body.tour;
  const none = {
    part_id: '',
    previous_day: -1,
    language: '',
    device: 'desktop',
    url_group_id: '',
    variant: '',
  } as const;
  const rows = Array.from({ length: 14 }, (_, day) =>
    (['shown', 'started', 'completed'] as const).map((what) => ({
      ...{ account_id, experience_id: id, day: dayOf(Date.now()) - day, what, ...none },
      count: what !== 'completed' ? 100 : day > 3 ? 62 : 31,
    })),
  ).flat();
  await api.app.storage.write(account_id, (db) => db.insertInto('activity_counts').values(rows).execute());
  const counts = { started_count: 1400, completed_count: 700, exited_count: 0, displayed_count: 0 };
  await api.app.storage.write(account_id, (db) =>
    db
      .insertInto('experience_counts')
      .values({ account_id, experience_id: id, ...counts })
      .execute(),
  );
  return id;
}

/** An administrator who was on Home the last time some days ago. */
async function addReturning(days: number) {
  const admin = await addSignedIn(dashboard.api, 'editor');
  await dashboard.api.app.storage.write(null, (db) =>
    db
      .updateTable('admins')
      .set({ home_left_at: Date.now() - days * DAY_MS })
      .where('account_id', '=', dashboard.api.account.account_id)
      .execute(),
  );
  return admin;
}

describe('news on Home', () => {
  it('says which number changed, from what to what, and leads to the results of these days', async () => {
    const id = await addChanged();
    const page = await dashboard.open('/app', { admin: await addReturning(3) });
    const sentence = panel(page).getByText(/^“Welcome tour”: completion fell from 62% to 31% since \w+\.$/);
    await sentence.waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await takePicture(page, 'home-news');
    await panel(page).getByRole('link', { name: 'Show the results' }).first().focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/app/experiences/${id}/results\\?from=\\d{4}-\\d\\d-\\d\\d&until=`));
  });

  it('stay the same after a reload, and after a visit to another page', async () => {
    await addChanged();
    const page = await dashboard.open('/app', { admin: await addReturning(3) });
    const sentence = panel(page).getByText(/completion fell from 62% to 31%/);
    await sentence.waitFor();
    await page.reload();
    await sentence.waitFor();
    const left = page.waitForResponse((response) => response.url().endsWith('/v3/session/home_visits'));
    await page.getByRole('link', { name: 'Segments' }).first().click();
    expect((await left).status()).toBe(200);
    await page.getByRole('link', { name: 'Home' }).first().click();
    await page.reload();
    await sentence.waitFor();
  });

  it('says what went live, and that nothing changed when nothing did', async () => {
    const { api } = dashboard;
    const { account_id } = api.account;
    await api.post('/v3/edit/tours', { name: 'Quiet', steps: [{ title: 'Hi' }], published_at: '$now' });
    const page = await dashboard.open('/app', { admin: await addReturning(3) });
    await panel(page)
      .getByText(/^“Quiet” went live on \w+, and no one has seen it yet\.$/)
      .waitFor();
    // Without its Changes, it is not known when the tour went live, as after a move.
    await api.app.storage.write(account_id, (db) =>
      db.deleteFrom('change_properties').where('account_id', '=', account_id).execute(),
    );
    await page.reload();
    await panel(page)
      .getByText(/^Nothing changed more than chance since \w+\.$/)
      .waitFor();
    await takePicture(page, 'home-no-news');
  });

  it('is not on the Home of an account in which nothing is live', async () => {
    const page = await dashboard.open('/app', { as: 'viewer' });
    await page.getByText('Nothing needs attention').waitFor();
    await panel(page).waitFor({ state: 'detached' });
  });
});
