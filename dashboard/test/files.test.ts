import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Dashboard, startDashboard } from './browser.ts';
import { addExperience } from './editor-page.ts';
import { expectGoodLook } from './looks.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(() => dashboard.stop());

const URL_OF_FOLDER = 'https://github.com/acme/app/tree/main/usher';

async function choose(page: Page, press: () => Promise<void>, text: string): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await press();
  await (await choosing).setFiles({ name: 'mine.yaml', mimeType: 'application/yaml', buffer: Buffer.from(text) });
}

it('marks what is managed by code, and leads to the file', async () => {
  const records = [
    { file: 'tours/first', content: { name: 'First', steps: [{ key: 'a', title: 'Hello' }] } },
    { file: 'segments/pro', content: { name: 'Pro', items: [] } },
    { file: 'themes/brand', content: { name: 'Brand' } },
    { file: 'url_groups/staging', content: { name: 'Staging' } },
    { file: 'limit_groups/weekly', content: { name: 'Weekly', max_count: 2, period_hours: 168 } },
  ];
  const { status, body } = await dashboard.api.post('/v3/edit/apply', { records, source: URL_OF_FOLDER });
  expect([status, body.messages]).toEqual([200, undefined]);
  const [tour, segment, theme] = body.records as { id: string }[];
  await addExperience(dashboard, 'tour', { name: 'Second' });
  const page = await dashboard.open('/app/experiences');
  await page.getByRole('row', { name: /First.*Managed by code/ }).waitFor();
  expect(await page.getByText('Managed by code').count()).toBe(1);
  for (const [path, file] of [
    [`experiences/${tour?.id}`, 'tours/first.yaml'],
    [`segments/${segment?.id}`, 'segments/pro.yaml'],
    [`themes/${theme?.id}`, 'themes/brand.yaml'],
  ]) {
    await page.goto(`${dashboard.api.url}/app/${path}`);
    const link = page.getByRole('link', { name: file as string });
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe(`${URL_OF_FOLDER}/${file}`);
    await page.getByText('Managed by code').waitFor();
  }
  for (const [path, name, file] of [
    ['domains?tab=environments', 'Staging', 'url_groups/staging.yaml'],
    ['settings/limits', 'Weekly', 'limit_groups/weekly.yaml'],
  ] as const) {
    await page.goto(`${dashboard.api.url}/app/${path}`);
    await page.getByRole('row', { name: new RegExp(`${name}.*Managed by code`) }).waitFor();
    await page.getByRole('row', { name: new RegExp(name) }).click();
    const link = page.getByRole('dialog').getByRole('link', { name: file });
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe(`${URL_OF_FOLDER}/${file}`);
  }
  await expectGoodLook(page, 'managed-by-code');
});

it('downloads an Experience as a file, replaces its draft with a file, and makes one from a file', async () => {
  const id = await addExperience(dashboard, 'tour', { name: 'Welcome', steps: [{ title: 'Hello' }] });
  const page = await dashboard.open(`/app/experiences/${id}`);
  const menu = page.getByRole('button', { name: 'More for Welcome' });
  const downloading = page.waitForEvent('download');
  await menu.first().click();
  await page.getByRole('menuitem', { name: 'Download as a file' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toBe('welcome.yaml');
  const text = await readFile(await file.path(), 'utf8');
  expect(text).toContain('title: Hello');
  const replace = async () => {
    await menu.first().click();
    await page.getByRole('menuitem', { name: 'Replace with a file' }).click();
  };
  await choose(page, replace, text.replace('title: Hello', 'title: Good day'));
  await page.getByText('Replaced “Welcome” with the file').waitFor();
  await page.getByText('Good day').first().waitFor();
  await choose(page, replace, 'kind: survey\nname: Other\n');
  await page
    .getByText(/must be `?tour/)
    .first()
    .waitFor();
  await page.goto(`${dashboard.api.url}/app/experiences`);
  await page.getByRole('button', { name: 'New Experience' }).first().click();
  await choose(page, () => page.getByRole('button', { name: 'From a file' }).click(), 'kind: tour\nname: Third\n');
  await page.waitForURL(/experiences\/[0-9a-f]{24}/);
  const { tours } = (await dashboard.api.get('/v3/edit/tours')).body;
  expect(tours.map(({ name }: { name: string }) => name)).toEqual(['Third', 'Welcome']);
});
