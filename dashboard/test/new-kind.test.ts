import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyWithNewKind, removeCopy } from '../../server/test/new-kind.ts';
import type * as browserModule from './browser.ts';
import { startSiteWithScript } from './customer-site.ts';
import { field, inPreview, nextSave, readExperience } from './editor-page.ts';

/*
 * Tests the script and the dashboard of a copy that has an additional kind. server/test/new-kind.test.ts tests the
 * rest.
 */

let folder: string;
let dashboard: browserModule.Dashboard;
beforeAll(async () => {
  folder = await copyWithNewKind();
  const { buildDashboardIfNeeded, buildScriptIfNeeded } = await import(join(folder, 'server/build.js'));
  await buildScriptIfNeeded();
  await buildDashboardIfNeeded('test');
  const { startDashboard }: typeof browserModule = await import(join(folder, 'dashboard/test/browser.ts'));
  dashboard = await startDashboard();
}, 180_000);
afterAll(async () => {
  await dashboard?.stop();
  removeCopy(folder);
});

const shown = (page: Page) => page.locator('usher-layer').getByRole('dialog');

it('lets people make, publish, find, deliver and measure a new kind, and users see it', async () => {
  const { api } = dashboard;
  const visit = await startSiteWithScript(dashboard);
  const page = await dashboard.open('/app/experiences');
  const id = await makeNotice(page);
  const user = await visit('ann');
  await shown(user).getByText('Sorry, all').waitFor();
  await shown(user).getByText('We are back').waitFor();
  await shown(user).getByRole('button', { name: 'Done' }).click();
  await expect.poll(async () => (await readExperience(dashboard, id)).stats.completed_count).toBe(1);

  await page.goto(`${api.url}/app/experiences/${id}/results`);
  await page.getByText('Completed').first().waitFor();
  await page.goto(`${api.url}/app/experiences/${id}/history`);
  await page
    .getByText(/headline/i)
    .first()
    .waitFor();
  await page.goto(`${api.url}/app/experiences?kind=notice`);
  await page.getByRole('row', { name: /Notice/ }).waitFor();
  await page.goto(`${api.url}/app/settings/limits`);
  await page.getByRole('button', { name: 'New limit group' }).first().click();
  await page.getByText('All tours, surveys and notices').first().waitFor();
  await startDelivery(page, (await readExperience(dashboard, id)).name);
});

async function makeNotice(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'New Experience' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Notice', exact: true }).click();
  await page.getByRole('button', { name: 'Add the first step' }).click();
  await field(page, 'Title').fill('We are back');
  const saved = nextSave(page);
  await field(page, 'Headline').fill('Sorry, all');
  await saved;
  await inPreview(page).getByText('Sorry, all').waitFor();
  const [, id = ''] = /experiences\/([0-9a-f]{24})/.exec(page.url()) ?? [];
  await expect.poll(async () => (await readExperience(dashboard, id)).headline).toBe('Sorry, all');
  await page.getByRole('button', { name: 'Publish…' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Publish / })
    .click();
  await expect.poll(async () => (await readExperience(dashboard, id)).state).toBe('live');
  return id;
}

async function startDelivery(page: Page, name: string): Promise<void> {
  const { api } = dashboard;
  const { profile } = (await api.get('/v3/analyze/profile?uid=ann')).body;
  await page.goto(`${api.url}/app/people/${profile.id}/queue`);
  await page.getByRole('button', { name: 'Show to one person' }).click();
  const dialog = page.getByRole('dialog', { name: /^Show / });
  await dialog.getByRole('combobox', { name: 'Tour, survey or notice' }).fill(name);
  await page.getByRole('option', { name }).waitFor();
}
