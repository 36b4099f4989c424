import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Dashboard, startDashboard } from './browser.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());

it('creates, starts, reads and ends an experiment, and undoes the end', async () => {
  const { api } = dashboard;
  await api.post('/v3/edit/tours', { name: 'Welcome', steps: [{ title: 'Hello' }] });
  const page = await dashboard.open('/app/experiments');
  await page.getByText('No experiments yet').waitFor();
  await page.getByRole('button', { name: 'New experiment' }).click();
  await page.getByLabel('Name').fill('Does it help?');
  const experience = page.getByRole('combobox', { name: 'Experience to test' });
  await experience.fill('Welc');
  await page.getByRole('option', { name: 'Welcome' }).click();
  await page.getByRole('button', { name: 'Create experiment' }).click();

  await page.getByRole('heading', { name: 'Does it help?' }).waitFor();
  await page.getByRole('combobox', { name: 'Event to count' }).fill('Signed up');
  await page.getByRole('button', { name: 'Create goal' }).click();
  await expect.poll(() => page.getByRole('checkbox', { name: 'Signed up' }).first().isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Save experiment' }).click();
  await page.getByText('Saved').first().waitFor();

  await page.getByRole('button', { name: 'Start experiment' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start experiment' }).click();
  await page.getByText('Running', { exact: true }).waitFor();
  for (let n = 0; n < 6; n++) {
    const visit = { account_token: api.account.account_token, uid: `person ${n}`, href: 'http://localhost:3000/' };
    await api.post('/v3/observe/visits', visit, { as: null });
  }
  await page.reload();
  await page.getByText(/^No decision yet/).waitFor();
  const { experiments } = (await api.get('/v3/edit/experiments')).body;
  const { results } = (await api.get(`/v3/analyze/experiments/${experiments[0].id}/results`)).body;
  expect(results.exposed_count).toBe(6);
  const table = page.getByRole('table', { name: 'People' });
  for (const { exposed_count } of results.variants)
    await table
      .getByRole('cell', { name: String(exposed_count), exact: true })
      .first()
      .waitFor();

  await page.getByRole('button', { name: 'Publish “With it” to all' }).click();
  await page.getByText('Ended', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Undo the end' }).click();
  await page.getByText('Running', { exact: true }).waitFor();
});

it('suggests events for a goal, and counts one that was renamed by its key', async () => {
  const { api } = dashboard;
  await api.replaceAccounts();
  await api.post('/v3/observe/hooks/events', { uid: 'ann', name: 'Signed up' });
  const [event] = (await api.get('/v3/edit/event_names')).body.event_names;
  await api.patch(`/v3/edit/event_names/${event.id}`, { name: 'Registered' });
  const { tour } = (await api.post('/v3/edit/tours', { name: 'Welcome', steps: [{ title: 'Hello' }] })).body;
  const variants = [
    { name: 'Nothing', share: 50 },
    { name: 'Tour', experience_id: tour.id, share: 50 },
  ];
  const { experiment } = (await api.post('/v3/edit/experiments', { name: 'Does it help?', variants })).body;
  const page = await dashboard.open(`/app/experiments/${experiment.id}`);
  await page.getByRole('combobox', { name: 'Event to count' }).fill('Regis');
  await page.getByRole('option', { name: 'Registered' }).click();
  await page.getByRole('button', { name: 'Create goal' }).click();
  await expect.poll(() => page.getByRole('checkbox', { name: 'Registered' }).first().isChecked()).toBe(true);
  const { goals } = (await api.get('/v3/edit/goals')).body;
  expect(goals).toEqual([expect.objectContaining({ name: 'Registered', event_name: event.uid })]);
});
