import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addSignedIn } from '../../server/test/sign-in.ts';
import { type Dashboard, startDashboard } from './browser.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(() => dashboard.stop());

/** Opens the page for the owner of an account with sample data. */
async function open(path: string, width = 1440): Promise<Page> {
  const admin = await addSignedIn(dashboard.api, 'owner');
  expect((await admin.browser.post('/v3/edit/sample_data', {})).status).toBeLessThan(300);
  return dashboard.open(path, { admin, width });
}

it('shows whom Experiences reached, and opens the numbers of one kind', async () => {
  const page = await open('/app/analytics');
  const kinds = page.getByRole('table', { name: 'By kind' });
  await kinds.getByRole('link', { name: 'Tours' }).click();
  await page.waitForURL(/[?&]kind=tour/);
  await kinds.waitFor({ state: 'detached' });
  const rows = page.getByRole('table', { name: 'By Experience' }).getByRole('row');
  await expect.poll(() => rows.count()).toBe(2);
  expect(await rows.nth(1).textContent()).toMatch(/^Welcome tour.*%$/);
});

it('gives embeds no completion, and does not break numbers on a phone', async () => {
  const page = await open('/app/analytics', 375);
  const row = page.getByRole('table', { name: 'By kind' }).getByRole('row', { name: /^Embeds/ });
  expect(await row.getByRole('cell').last().textContent()).toBe('–');
  const heights = await row.getByRole('cell').evaluateAll((cells) =>
    cells.map((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return range.getClientRects().length;
    }),
  );
  expect(heights).toEqual([1, 1, 1, 1]);
});

it('shows how an event was adopted, saves it as a report, and opens the report', async () => {
  const page = await open('/app/analytics/adoption');
  await page.getByRole('combobox', { name: 'Event' }).fill('Person inv');
  await page.getByRole('option', { name: 'Person invited' }).click();
  await page.getByRole('heading', { name: 'First time, by day' }).waitFor();
  await page
    .getByRole('button', { name: '7 days' })
    .or(page.getByRole('radio', { name: '7 days' }))
    .click();
  await page.waitForURL(/days=7/);
  await page.getByRole('button', { name: 'Save report' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Invitations');
  await dialog.getByRole('button', { name: 'Create report' }).click();
  await page.getByRole('heading', { name: 'Invitations' }).waitFor();
  await page.getByRole('link', { name: 'Reports' }).click();
  await page.getByRole('row', { name: 'Invitations' }).getByRole('link').click();
  await page.getByRole('heading', { name: 'Invitations' }).waitFor();
  await page.getByRole('heading', { name: 'First time, by day' }).waitFor();
  expect(new URL(page.url()).searchParams.get('days')).toBe('7');
});
