import { afterAll, beforeAll, expect, it } from 'vitest';
import { version } from '../../server/src/settings/version.ts';
import { pauseSending, unpauseSending } from '../../server/src/webhooks/sending/paused.ts';
import { type Dashboard, startOwnDashboard } from './browser.ts';
import { expectGoodLook } from './looks.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startOwnDashboard();
});
afterAll(() => dashboard.stop());

const PATH = '/app/settings/health';

it('shows the version, the database and what is to be sent', async () => {
  const page = await dashboard.open(PATH);
  await page.getByText(`${version}, started`).waitFor();
  await page.getByText(/^SQLite \d/).waitFor();
  await page.getByText('0 due, 0 wait for a later attempt').waitFor();
});

it('says what needs attention, and is current after "Check again"', async () => {
  const { app } = dashboard.api;
  const page = await dashboard.open(PATH);
  await page.getByText('Not yet: the first is an hour after the start').waitFor();
  app.activity.lastSweepAt = app.now() - 3 * 60 * 60_000;
  await page.getByRole('button', { name: 'Check again' }).click();
  await page.getByRole('heading', { name: 'What to do' }).waitFor();
  await page.getByText('Old records were not removed for two hours: the log says why.').waitFor();
  await expectGoodLook(page, 'health-attention-light');
  app.activity.lastSweepAt = app.now();
  await page.getByRole('button', { name: 'Check again' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Old records were not removed for two hours').waitFor({ state: 'detached' });
  await page.getByText('The public address and the database file were checked').waitFor();
});

it('says that sending is paused, as Home and the pages of webhooks do, and what sends again', async () => {
  const { app, post } = dashboard.api;
  const reason = 'paused by an operator';
  await app.storage.write(null, (db) => pauseSending(db, { reason, at: app.now() }));
  const { body } = await post('/v3/edit/webhooks', { url: 'https://hooks.example.com/usher', topics: ['tour.*'] });
  await post(`/v3/edit/webhooks/${body.webhook.id}/ping`);
  const page = await dashboard.open('/app');
  await page.getByText(`Webhooks are paused (${reason})`).waitFor();
  await expectGoodLook(page, 'home-paused-light');
  await page.getByRole('link', { name: 'Open webhooks' }).click();
  await page.getByText('Sending is paused').waitFor();
  await page
    .getByText(`(${reason}). Items wait until the operator of this server runs “usher webhooks resume”`)
    .waitFor();
  await expectGoodLook(page, 'webhooks-paused-light');
  await page.goto(`${dashboard.api.url}/app/settings/webhooks/${body.webhook.id}`);
  await page.getByRole('button', { name: 'Retry: ' }).click();
  await page.getByText('The item is sent again when sending goes on').waitFor();
  await page.getByRole('link', { name: 'Version and health' }).click();
  const advice = page.getByText('What is to be sent waits: “usher webhooks resume” sends it.');
  await advice.first().waitFor();
  await app.storage.write(null, unpauseSending);
  await page.getByRole('button', { name: 'Check again' }).click();
  await advice.waitFor({ state: 'detached' });
});

it('shows no file and no address', async () => {
  const page = await dashboard.open(PATH);
  await page.getByText(/^SQLite \d/).waitFor();
  expect(await page.locator('main').innerText()).not.toMatch(/usher\.db|\/tmp|127\.0\.0\.1/);
});

it('says to an editor who sees it, and who can help', async () => {
  const page = await dashboard.open(PATH, { as: 'editor' });
  await page.getByText(/^Owners see this page, and you are an editor/).waitFor();
  await page.getByText('An owner can change your role.').waitFor();
  await page.getByRole('link', { name: 'Go to Home' }).waitFor();
  expect(await page.getByRole('navigation', { name: 'Settings' }).getByText('Version and health').count()).toBe(0);
});
