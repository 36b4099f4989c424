import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Dashboard, startDashboard } from './browser.ts';
import { expectGoodLook } from './looks.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(() => dashboard.stop());

const showAccount = '/docs/reference?chapter=Account#get-/v3/edit/account';

/** The axe rules for the viewer, which is somebody else's, are checked for what is around it. */
const own = '#chapters';

it.each([
  { look: 'dark', width: 1440, isDark: true },
  { look: 'phone', width: 375, isDark: false },
])('shows the operations of a chapter, and asks no other server ($look)', async ({ look, width, isDark }) => {
  const page = await dashboard.open('/docs', { as: null, width, isDark, isNew: true });
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).origin));
  await page.goto(dashboard.api.url + showAccount);
  await page
    .getByText(/^(Show the account|\/v3\/edit\/account)$/)
    .first()
    .waitFor();
  await page.getByRole('link', { name: 'Surveys' }).waitFor();
  await expectGoodLook(page, `api-reference-${look}`, own);
  expect([...hosts]).toEqual([dashboard.api.url]);
});

async function tryIt(page: Page): Promise<number> {
  const button = page.getByRole('button', { name: 'Try' }).first();
  await button.waitFor();
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/v3/edit/account')),
    button.click(),
  ]);
  return answer.status();
}

it('tries a request with the secret of the reader, never with the cookie of who signed in, and forgets the secret', async () => {
  const page = await dashboard.open('/docs', { isNew: true });
  await page.goto(dashboard.api.url + showAccount);
  expect(await tryIt(page)).toBe(403);
  await page.getByText('Authentication').first().click();
  await page.getByPlaceholder('api-token').fill(dashboard.api.account.account_secret);
  await page.getByRole('button', { name: /^set$/i }).click();
  await page.locator('[data-content-id="get-/v3/edit/account"]').click();
  expect(await tryIt(page)).toBe(200);
  await page.reload();
  expect(await tryIt(page)).toBe(403);
});
