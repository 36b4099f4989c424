import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Poster } from '../../server/src/webhooks/sending/post.ts';
import { Sender } from '../../server/src/webhooks/sending/sender.ts';
import { type Receiver, startReceiver } from '../../server/test/receiver.ts';
import { addSignedIn, forgetConfirmation, PASSWORD } from '../../server/test/sign-in.ts';
import { accessibilityProblems, type Dashboard, startOwnDashboard, takePicture } from './browser.ts';
import { expectGoodLook, hostileName } from './looks.ts';

let dashboard: Dashboard;
let sender: Sender;
beforeAll(async () => {
  dashboard = await startOwnDashboard({ USHER_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8' });
  const { allowNetworks: allowed, sourceAddresses: sources } = dashboard.api.app.webhooks;
  sender = new Sender(dashboard.api.app, new Poster({ allowed, sources }));
  sender.start();
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(async () => {
  await sender.stop();
  await dashboard.stop();
});

const PATH = '/app/settings/webhooks';
const add = async (params: object = {}) =>
  (
    await dashboard.api.post('/v3/edit/webhooks', {
      url: 'https://example.com/hooks',
      name: 'To the CRM',
      topics: ['tour.*', 'response.finished'],
      ...params,
    })
  ).body.webhook;
const list = async () => (await dashboard.api.get('/v3/edit/webhooks')).body.webhooks;
const isSigned = (secret: string, { headers, body }: Receiver['received'][number]) =>
  headers['x-usher-signature'] === createHmac('sha256', secret).update(body).digest('hex');
const choose = async (page: Page, action: string) => {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: action }).click();
};

describe('creating a webhook', () => {
  it('asks for the password, shows the secret once, and the receiver can check what comes', async () => {
    const receiver = await startReceiver();
    const admin = await addSignedIn(dashboard.api, 'owner');
    await forgetConfirmation(dashboard.api, admin.personId);
    const page = await dashboard.open(PATH, { admin });
    await page.getByRole('button', { name: 'New webhook' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New webhook' });
    await dialog.getByLabel('Address').fill(receiver.url);
    await dialog.getByLabel('Name').fill('Receiver');
    await dialog.getByText('More', { exact: true }).click();
    await dialog.getByLabel('Further header with the ID').fill('X-Guide-Id');
    await dialog.getByLabel('Further header with the signature').fill('X-Guide-Signature');
    await dialog.getByText('Everything about tours').click();
    await dialog.getByText('A survey is answered, with all answers').click();
    await dialog.getByText('A step begins to fail, because people do not find its element').click();
    expect(await dialog.getByLabel('A tour is completed').isDisabled()).toBe(true);
    await expectGoodLook(page, 'webhooks-create-light', '[role=dialog]');
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    await page
      .getByRole('dialog', { name: 'Confirm that it is you' })
      .getByLabel(/^Password/)
      .fill(PASSWORD);
    await page.keyboard.press('Enter');
    const secretDialog = page.getByRole('dialog', { name: 'Store this secret now' });
    const secret = await secretDialog.getByText(/^whsec_/).innerText();
    expect(await accessibilityProblems(page, '[role=dialog]')).toEqual([]);
    await takePicture(page, 'webhooks-secret-light');
    await secretDialog.getByRole('button', { name: 'Copy' }).first().click();
    await secretDialog.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
    await secretDialog.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('heading', { level: 1, name: 'Receiver' }).waitFor();
    expect(await list()).toEqual([
      expect.objectContaining({
        uid: receiver.url,
        name: 'Receiver',
        topics: ['tour.*', 'response.finished', 'experience.target_missing'],
        id_header: 'X-Guide-Id',
        signature_header: 'X-Guide-Signature',
      }),
    ]);
    await page.getByRole('button', { name: 'Send ping' }).click();
    await page.getByText(/^The receiver answered with 200 in \d+ ms$/).waitFor();
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received.every((one) => isSigned(secret, one))).toBe(true);
    const [sent] = receiver.received;
    expect(sent?.headers['x-guide-signature']).toBe(sent?.headers['x-usher-signature']);
    expect(await page.getByText(secret).count()).toBe(0);
    const id = page.getByLabel('Further header with the ID');
    await id.fill('Host');
    await page.getByRole('button', { name: 'Save webhook' }).click();
    await page.getByText('has another meaning in requests').waitFor();
    await id.fill('');
    await page.getByRole('button', { name: 'Save webhook' }).click();
    await expect.poll(async () => (await list())[0].id_header).toBeNull();
  });

  it('works by keyboard alone in an account without webhooks, and says at the fields what is wrong', async () => {
    const page = await dashboard.open(PATH);
    await page.getByText('No webhooks yet').waitFor();
    await page.getByRole('button', { name: 'New webhook' }).first().focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New webhook' });
    await dialog.waitFor();
    await page.keyboard.type('https://10.1.2.3/private');
    await page.keyboard.press('Enter');
    await dialog.getByText('Choose at least one topic.').waitFor();
    await dialog.getByLabel('A tour is completed').focus();
    await page.keyboard.press('Space');
    await dialog.getByLabel('Address').focus();
    await page.keyboard.press('Enter');
    await dialog.getByText(/^Address must/).waitFor();
    expect(await dialog.getByLabel('Address').inputValue()).toBe('https://10.1.2.3/private');
    // Another administrator has created a webhook with the same address first.
    await add({ url: 'https://example.com/by-keys' });
    await page.keyboard.press('Control+a');
    await page.keyboard.type('https://example.com/by-keys');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').filter({ hasText: 'There is a webhook with this url already' }).waitFor();
    await dialog.getByLabel('Address').focus();
    await page.keyboard.press('End');
    await page.keyboard.type('-alone');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Store this secret now' }).waitFor();
    const created = { uid: 'https://example.com/by-keys-alone', topics: ['tour.completed'] };
    expect(await list()).toContainEqual(expect.objectContaining(created));
  });
});

describe('one webhook', () => {
  const openOne = async (params: object = {}, options: Parameters<Dashboard['open']>[1] = {}) => {
    const webhook = await add(params);
    return { webhook, page: await dashboard.open(`${PATH}/${webhook.id}`, options) };
  };

  it('shows the request and the answer of an attempt, and sends a failed item again', async () => {
    const receiver = await startReceiver({ respond: (response) => response.writeHead(500).end('<b>Sorry</b>') });
    const { page } = await openOne({ url: receiver.url, name: hostileName });
    await page.getByText('No requests yet').waitFor();
    await page.getByRole('button', { name: 'Send ping' }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: /^The receiver answered with 500/ })
      .waitFor();
    await page.getByText(/^Requests are failing/).waitFor();
    const attempts = page.getByRole('grid', { name: 'Recent attempts' });
    await attempts.getByText('500').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    await expectGoodLook(page, 'webhook-failing-light');
    await attempts.getByText('A test (ping)').click();
    const dialog = page.getByRole('dialog', { name: 'A test (ping)' });
    await dialog.getByText('<b>Sorry</b>').waitFor();
    await dialog.getByText(`POST ${receiver.url}`).waitFor();
    await dialog.getByText('"kind": "ping"').waitFor();
    expect(await dialog.getByText(/signature:/).count()).toBe(0);
    await expectGoodLook(page, 'webhook-attempt-light', '[role=dialog]');
    await page.keyboard.press('Escape');
    // On a busy machine, the automatic retry of the server may have come before.
    const before = receiver.received.length;
    receiver.respond = (response) => response.end('ok');
    const waiting = page.getByRole('grid', { name: 'Waiting and failed items' });
    await waiting.getByRole('button', { name: 'Retry: A test (ping)' }).click();
    await page.getByText('The item is sent again now').waitFor();
    await expect.poll(() => receiver.received.length).toBeGreaterThan(before);
    await expect.poll(async () => (await list())[0].last_item_state).toBe('sent');
  });

  it('asks for the password before items go to another address', async () => {
    const admin = await addSignedIn(dashboard.api, 'owner');
    const { page, webhook } = await openOne({}, { admin });
    await forgetConfirmation(dashboard.api, admin.personId);
    await page.getByLabel('Address').fill('https://example.com/elsewhere');
    await page.getByRole('button', { name: 'Save webhook' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByLabel(/^Password/).fill(PASSWORD);
    expect((await list())[0].uid).toBe(webhook.uid);
    await page.keyboard.press('Enter');
    await page.getByText('Saved: Address').waitFor();
    expect((await list())[0].uid).toBe('https://example.com/elsewhere');
  });

  it('saves changes and shows those of others, turns off with "Undo", and is deleted after its name was typed', async () => {
    const { page, webhook } = await openOne();
    await page.getByLabel('Name').fill('Mine');
    await dashboard.api.patch(`/v3/edit/webhooks/${webhook.id}`, { topics: ['embed.*'] });
    await page.getByRole('button', { name: 'Save webhook' }).click();
    await page.getByText(/Topics: was “All about tours.*is now “All about embeds”/).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Mine');
    await page.getByRole('button', { name: 'Save webhook' }).click();
    await page.getByText('Saved: Name').waitFor();
    expect((await list())[0]).toMatchObject({ name: 'Mine', topics: ['embed.*'] });

    await choose(page, 'Turn off');
    await page.getByText(/^Webhook is off/).waitFor();
    expect((await list())[0].enabled).toBe(false);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByText('Webhook is on', { exact: true }).waitFor();
    expect((await list())[0].enabled).toBe(true);

    await choose(page, 'Delete webhook');
    const dialog = page.getByRole('alertdialog', { name: 'Delete this webhook?' });
    await dialog.getByLabel(/^Type/).fill('Mine');
    await dialog.getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByText('Mine deleted').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    expect(await list()).toEqual([]);
  });

  it('rotates the secret so that both sign for a day, and says what is wrong when no server responds', async () => {
    const receiver = await startReceiver();
    const { page } = await openOne({ url: receiver.url });
    await choose(page, 'Rotate secret');
    const dialog = page.getByRole('dialog', { name: 'Rotate the secret?' });
    await dialog.getByText('For 24 hours the old one signs too').waitFor();
    await takePicture(page, 'webhook-rotate-light');
    await dialog.getByRole('button', { name: 'Rotate secret' }).click();
    const secret = await page
      .getByRole('dialog')
      .getByText(/^whsec_/)
      .innerText();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('button', { name: 'Send ping' }).click();
    await page.getByText(/^The receiver answered with 200/).waitFor();
    const [ping] = receiver.received;
    expect(ping && isSigned(secret, ping)).toBe(true);
    expect(String(ping?.headers['webhook-signature']).split(' ')).toHaveLength(2);
    await receiver.stop();
    await page.getByRole('button', { name: 'Send ping' }).click();
    await page.getByText('The ping failed: the connection was refused').waitFor();
    await page.getByText(/Check that the address is right/).waitFor();
  });

  it('lets a viewer read only, and says so when it was deleted meanwhile', async () => {
    const { page, webhook } = await openOne({}, { as: 'viewer' });
    await page.getByText('All about tours, A survey is answered, with all answers').waitFor();
    expect(await page.getByRole('button', { name: /Send ping|More actions|Save|Retry/ }).count()).toBe(0);
    await dashboard.api.send('DELETE', `/v3/edit/webhooks/${webhook.id}`);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'This webhook is gone' }).waitFor();
    await page.getByRole('link', { name: 'All webhooks' }).click();
    await page.getByText('No webhooks yet').waitFor();
  });
});
