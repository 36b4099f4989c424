import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { expect } from 'vitest';
import { connectAssistant, httpTransport } from '../../../server/test/mcp-client.ts';
import { type Receiver, startReceiver } from '../../../server/test/receiver.ts';
import { takePicture } from '../browser.ts';
import type { Hour } from './hour.ts';

/* Programs around Usher: an assistant, a webhook, files, backups. */

export async function approveProposal(hour: Hour): Promise<void> {
  await hour.open('/app/settings/secrets');
  await hour.press('New API secret');
  await hour.dialog().getByLabel('Name').fill('Assistant');
  await hour.dialog().getByText('Propose', { exact: true }).click();
  await hour.dialog().getByRole('button', { name: 'Create secret' }).click();
  await hour.page.getByRole('dialog', { name: 'Store this secret now' }).getByRole('button', { name: 'Copy' }).click();
  const key = await hour.page.evaluate(() => navigator.clipboard.readText());
  await hour.press('I have stored it');
  const assistant = await connectAssistant(httpTransport(hour.usher.url, key));
  expect(await assistant.listTools()).not.toContain('publish');
  const proposed = await assistant.call('propose_experience', {
    kind: 'launchers',
    name: 'First steps',
    title: 'First steps',
    list_type: 'checklist',
    note: 'Three out of four new users never send an invoice.',
    items: [
      {
        title: 'Send an invoice',
        url: '/invoices',
        completed_when: [{ kind: 'event', op: 'ex', value: 'Invoice sent' }],
      },
      {
        title: 'Add a customer',
        url: '/customers',
        completed_when: [{ kind: 'event', op: 'ex', value: 'Customer added' }],
      },
    ],
  });
  expect(proposed).toMatchObject({ isError: false });
  await hour.open('/app');
  await hour.page.getByText('A proposal waits for you: “First steps”').waitFor();
  await takePicture(hour.page, 'hour-08-home');
  await hour.page.getByRole('link', { name: 'Open proposals' }).click();
  await hour.page.getByRole('link', { name: 'First steps' }).click();
  await hour.page.getByText('Three out of four new users').waitFor();
  await takePicture(hour.page, 'hour-08-proposal', true);
  await hour.press('Approve and publish');
  await hour.page.getByText('Approved', { exact: true }).waitFor();
}

interface Created {
  receiver: Receiver;
  key: string;
}

export async function createWebhook(hour: Hour): Promise<Created> {
  const receiver = await startReceiver();
  await hour.open('/app/settings/webhooks');
  await hour.page.getByRole('button', { name: 'New webhook' }).first().click();
  await hour.dialog().getByLabel('Address').fill(receiver.url);
  await hour.dialog().getByText('A survey is answered, with all answers').click();
  await takePicture(hour.page, 'hour-09-webhook');
  await hour.dialog().getByRole('button', { name: 'Create webhook' }).click();
  const key = await hour.page
    .getByRole('dialog', { name: 'Store this secret now' })
    .getByText(/^whsec_/)
    .innerText();
  await hour.press('I have stored it');
  return { receiver, key };
}

export async function expectSigned(hour: Hour, { receiver, key }: Created): Promise<void> {
  await expect.poll(() => receiver.received.length).toBe(1);
  const [one] = receiver.received;
  if (!one) throw new Error('Nothing was received.');
  const hash = createHmac('sha256', Buffer.from(key.replace(/^whsec_/, ''), 'base64'))
    .update(`${one.headers['webhook-id']}.${one.headers['webhook-timestamp']}.${one.body}`)
    .digest('base64');
  expect(one.headers['webhook-signature']).toBe(`v1,${hash}`);
  expect(JSON.parse(one.body)).toMatchObject({ kind: 'response.finished' });
  await hour.page.reload();
  await takePicture(hour.page, 'hour-09-sent');
}

export async function pullAndCommit(hour: Hour, folder: string): Promise<void> {
  const git = (...argv: string[]) => execFileSync('git', argv, { cwd: folder, encoding: 'utf8' });
  git('init', '--quiet');
  await hour.usher.usher(['pull', '--from', hour.usher.url], { ACCOUNT_SECRET: hour.secret }, folder);
  git('add', '.');
  git('-c', 'user.name=Ann', '-c', 'user.email=ann@harvest.test', 'commit', '--quiet', '-m', 'What users see');
  const files = git('ls-files').split('\n');
  for (const name of ['usher/usher.lock', 'usher/launchers/first-steps.yaml', 'usher/themes/calm.yaml'])
    expect(files).toContain(name);
}

export async function backUp(hour: Hour, place: string): Promise<void> {
  await hour.usher.usher(['backup', '--to', place]);
  expect(readdirSync(place).filter((name) => name.endsWith('.db'))).toHaveLength(1);
  await hour.usher.stop();
  await hour.usher.start({ USHER_BACKUP_TO: place });
  const { checks } = JSON.parse(await hour.usher.usher(['doctor', '--json']));
  // Node 20 works, and the doctor recommends a newer one.
  const found = checks.filter(
    ({ name, state }: { name: string; state: string }) => state !== 'good' && name !== 'node',
  );
  expect(found).toEqual([]);
}

/** Archives all Experiences in the list, and deletes them and all people by API. */
export async function removeData(hour: Hour): Promise<void> {
  await hour.open('/app/experiences');
  await hour.page.getByRole('checkbox', { name: 'Select all' }).click({ force: true });
  await takePicture(hour.page, 'hour-12-list');
  const bar = hour.page.getByRole('region', { name: /selected$/ });
  await bar.getByRole('button', { name: 'Archive' }).click();
  await hour.page
    .getByText('No Experience matches these filters')
    .or(hour.page.getByText('No Experiences yet'))
    .waitFor();
  await takePicture(hour.page, 'hour-12-archived');
  const { experiences } = await call(hour, 'GET', '/v3/edit/experiences?archived=true');
  expect(experiences.length).toBeGreaterThan(5);
  for (const { kind, id } of experiences) await call(hour, 'DELETE', `/v3/edit/${kind}s/${id}`);
  const { profiles } = await call(hour, 'GET', '/v3/analyze/profiles');
  expect(profiles.length).toBeGreaterThan(5);
  for (const { uid } of profiles) await call(hour, 'DELETE', `/v3/edit/profiles/forget?uid=${uid}`);
  expect(await call(hour, 'GET', '/v3/analyze/profiles/count')).toEqual({ count: 0 });
}

// biome-ignore lint/suspicious/noExplicitAny: each call knows the shape of its response
async function call(hour: Hour, method: string, path: string): Promise<any> {
  const response = await fetch(hour.usher.url + path, { method, headers: { 'X-Account-Secret': hour.secret } });
  expect([path, response.ok]).toEqual([path, true]);
  return response.json();
}
