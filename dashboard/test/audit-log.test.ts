import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSecret } from '../../server/src/features/team/secrets/create-secret.ts';
import { addSignedIn, type TestAdmin } from '../../server/test/sign-in.ts';
import { accessibilityProblems, type Dashboard, focused, startDashboard, takePicture } from './browser.ts';

let dashboard: Dashboard;
let owner: TestAdmin;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());
beforeEach(async () => {
  await dashboard.api.replaceAccounts();
  owner = await addSignedIn(dashboard.api, 'owner');
});

const path = '/app/settings/audit-log';
const steps = [{ title: 'Hello', body: 'This is it.', buttons: [{ text: 'Next' }] }];
/** Does some of the things that an account records in a week. */
const act = async () => {
  const { api } = dashboard;
  const { browser } = owner;
  const ann = await addSignedIn(api, 'editor');
  await ann.browser.patch('/v3/person', { name: 'Ann <b>Lee</b> \u202eevil' });
  await browser.patch(`/v3/edit/admins/${ann.id}`, { role: 'viewer' });
  await browser.post('/v3/edit/secrets', { name: `Nightly ${'export '.repeat(12)}`, scope: 'read' });
  await browser.patch('/v3/edit/account', { name: 'Acme Inc.', who_may_publish: 'owners' });
  await browser.post('/v3/edit/tours', { name: 'Welcome', steps, published_at: '$now' });
  await browser.post('/v3/edit/invitations', { role: 'viewer' });
  const secret = await createSecret(api.app, {
    accountId: api.account.account_id,
    email: owner.email,
    name: 'Deploy script',
  });
  await api.post('/v3/edit/url_groups', { name: 'Staging' }, { as: secret });
  return ann;
};
const openLog = async (query = '', options: object = {}) => {
  const page = await dashboard.open(path + query, { admin: owner, ...options });
  await page.waitForLoadState('networkidle');
  return page;
};
const rowWith = (page: Page, said: string | RegExp) => page.getByRole('row').filter({ hasText: said });
const choose = async (page: Page, filter: string, option: string) => {
  await page.getByRole('button', { name: new RegExp(`${filter}$`) }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

describe('the audit log', () => {
  it('says in sentences who did what, how and from where', async () => {
    await act();
    const page = await openLog();
    for (const said of [
      'Kim owner published the tour “Welcome”',
      'Kim owner created an invitation as viewer',
      'Kim owner changed in the settings: the name and who may publish',
      /Kim owner changed the role of Ann <b>Lee<\/b> .* from editor to viewer/,
      /Kim owner created the API secret “Nightly export/,
    ])
      await rowWith(page, said).waitFor();
    const row = rowWith(page, 'created the Environment “Staging”');
    await row.getByText('Secret “Deploy script”').waitFor();
    await row.getByText('127.0.0.1').waitFor();
    await rowWith(page, 'Kim owner was added as owner').getByText('Command line').waitFor();
  });

  it('shows the details of an entry by mouse and by keyboard', async () => {
    await act();
    const page = await openLog('?action=account.update');
    await rowWith(page, 'changed in the settings').click();
    const dialog = page.getByRole('dialog', { name: 'Entry of the audit log' });
    await dialog.getByText('editors → owners').waitFor();
    await dialog.getByText('account.update').waitFor();
    expect(await accessibilityProblems(page, '[role=dialog]')).toEqual([]);
    await takePicture(page, 'audit-log-details-light');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('j');
    await expect.poll(() => focused(page)).toMatch(/^row/);
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toMatch(/^row/);
  });

  it('filters by action and person, in the address', async () => {
    const ann = await act();
    const page = await openLog();
    await rowWith(page, 'published the tour').waitFor();
    await choose(page, 'Action', 'Changed settings');
    await rowWith(page, 'published the tour').waitFor({ state: 'detached' });
    await rowWith(page, 'changed in the settings').waitFor();
    expect(new URL(page.url()).search).toBe('?action=account.update');
    await page.goBack();
    await rowWith(page, 'published the tour').waitFor();
    await page.goto(`${dashboard.api.url}${path}?admin_id=${ann.id}`);
    await rowWith(page, 'changed their own name').waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await rowWith(page, 'published the tour').waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('says that nothing matches, with the way back', async () => {
    const page = await openLog('?action=profile.forget');
    await page.getByText('No entry matches').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).last().click();
    await rowWith(page, 'was added as owner').waitFor();
  });

  it('explains a filter that does not exist', async () => {
    const page = await openLog('?action=no.such.action');
    await page.getByRole('alert').getByText('Something is not right yet').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await rowWith(page, 'was added as owner').waitFor();
  });

  it('loads more on request', async () => {
    for (let count = 0; count < 60; count++) await owner.browser.patch('/v3/edit/account', { name: `Acme ${count}` });
    const page = await openLog();
    await page.getByText('50 entries so far').waitFor();
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText(/^6\d entries$/).waitFor();
    expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
  });

  it.each(['CSV', 'JSON'])('downloads everything that the filters match as %s', async (format) => {
    await act();
    const page = await openLog('?action=account.update');
    const downloaded = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByRole('menuitem', { name: `As ${format}` }).click();
    const file = await downloaded;
    expect(file.suggestedFilename()).toBe(`audit-log.${format.toLowerCase()}`);
    const content = await readFile(await file.path(), 'utf8');
    expect(content).toContain('account.update');
    expect(content).not.toContain('experience.publish');
  });

  it('shows an error of the server', async () => {
    const page = await dashboard.open('/app/settings/profile', { admin: owner });
    await page.route('**/v3/analyze/audit_entries?*', (route) =>
      route.fulfill({ status: 403, json: { messages: ['No'] } }),
    );
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('alert').getByText('You may not do this').waitFor();
  });
});

it('explains to an editor that the log is for owners', async () => {
  const page = await dashboard.open(path, { as: 'editor' });
  await page.getByText('Owners see this page').waitFor();
  expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
});
