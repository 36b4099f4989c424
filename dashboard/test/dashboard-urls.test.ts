import { experienceKinds, pathOfKind } from '@usher/domain/kinds';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Dashboard, startDashboard } from './browser.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(() => dashboard.stop());

/** The address of a record, as somebody opens it who has signed in. */
function addressOf({ dashboard_url }: { dashboard_url: string }): string {
  const { pathname, search } = new URL(dashboard_url);
  return pathname + search;
}

it.each(experienceKinds)('opens the `dashboard_url` of a %s', async (kind) => {
  const { body } = await dashboard.api.post(`/v3/edit/${pathOfKind(kind)}`, { name: `My ${kind}` });
  const page = await dashboard.open(addressOf(body[kind]));
  await page.getByRole('heading', { level: 1, name: `My ${kind}` }).waitFor();
  expect(new URL(page.url()).pathname).toBe(addressOf(body[kind]));
});

it('opens the `dashboard_url` of a theme', async () => {
  const { body } = await dashboard.api.post('/v3/edit/themes', { name: 'Brand' });
  const page = await dashboard.open(addressOf(body.theme));
  await page.getByRole('heading', { level: 1, name: 'Brand' }).waitFor();
});

it('opens the `dashboard_url` of an Event Name', async () => {
  await dashboard.api.post('/v3/observe/hooks/events', { uid: 'ann', name: 'Report Exported' });
  const { body } = await dashboard.api.get('/v3/edit/event_names');
  const page = await dashboard.open(addressOf(body.event_names[0]));
  await page.getByRole('heading', { level: 1, name: 'Report Exported' }).waitFor();
  await page.getByText('ann', { exact: true }).first().waitFor();
});
