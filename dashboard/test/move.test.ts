import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Dashboard, startOwnDashboard } from './browser.ts';
import { expectGoodLook } from './looks.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startOwnDashboard({ USHER_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8' });
});
afterAll(() => dashboard.stop());

const ACCOUNT = '5fb70dcb0001fffffffffff1';
const TOUR = '5fb70dcb0002fffffffffff1';
const STEP = '5fb70dcb0003fffffffffff1';
const SECRET = 'secret of the other service';
const TIME = '2020-11-20T00:28:59.650Z';

const tour = { id: TOUR, created_at: TIME, updated_at: TIME, name: 'Welcome', published_at: TIME };
const file = {
  id: ACCOUNT,
  language: { code: 'default', options: ['default'] },
  experiences: [{ id: TOUR, name: 'Welcome', steps: [{ id: STEP, translations: { title: { text: 'Hello' } } }] }],
};
const answers: Record<string, object> = {
  '/': { account: { id: ACCOUNT }, user: { id: ACCOUNT } },
  '/v3/edit/tours': { tours: [tour], cursor: {} },
  '/v3/edit/tours/i18n.json': file,
};

/** A service with one tour, which gives only the texts of its step. It answers for people when the test lets it. */
async function startService() {
  const held: ServerResponse[] = [];
  let isHolding = true;
  const notFound = (response: ServerResponse) => response.writeHead(404).end('{"messages":["Not found"]}');
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    request.resume();
    if (request.headers['x-account-secret'] !== SECRET)
      return response.writeHead(403).end('{"messages":["Wrong secret"]}');
    const answer = answers[pathname];
    if (answer) return response.writeHead(200).end(JSON.stringify(answer));
    if (pathname === '/v3/analyze/profiles' && isHolding) return held.push(response);
    return notFound(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isAsked: () => held.length > 0,
    letGo: () => {
      isHolding = false;
      held.splice(0).forEach(notFound);
    },
  };
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe('the page that moves an account here', () => {
  it('starts an import, shows how far it is, stops and continues it, and lists the steps that need a place', async () => {
    const service = await startService();
    const page = await dashboard.open('/app/settings/move');
    await page.getByLabel('Address of the other service').fill(service.address);
    await page.getByLabel('Account secret there').fill('wrong');
    await button(page, 'Import').click();
    await page.getByText(/rejects the secret: Wrong secret/).waitFor();

    await page.getByLabel('Account secret there').fill(SECRET);
    await button(page, 'Import').click();
    await page.getByText(`Importing. From ${service.address}`).waitFor();
    await expect.poll(service.isAsked).toBe(true);
    await page.getByText('Companies', { exact: true }).waitFor();
    await button(page, 'Stop').click();
    await page.getByText(`Stopped. From ${service.address}`).waitFor();
    await page.getByText('Somebody has stopped it').waitFor();
    service.letGo();

    await page.getByLabel('Account secret there').fill(SECRET);
    await button(page, 'Continue').click();
    await page.getByText(`Imported. From ${service.address}`).waitFor();
    await page.getByText('1 step needs a place').waitFor();
    await page.getByText(/Here it is a draft of its texts/).waitFor();
    await page.reload();
    await page.getByText('1 step needs a place').waitFor();
    await expectGoodLook(page, 'move');
    const link = page.getByRole('link', { name: 'Pick a place for Hello' });
    expect(await link.getAttribute('href')).toContain(`/app/experiences/${TOUR}`);

    await button(page, 'Hello needs no place').click();
    await page.getByText('1 step needs a place').waitFor({ state: 'detached' });
    await button(page, 'Release webhooks').click();
    await page.getByText(`Released. From ${service.address}`).waitFor();
    await button(page, 'Bring what is new').waitFor();
  });
});
