import { expect } from 'vitest';
import { takePicture } from '../browser.ts';
import { type Hour, PRODUCTION, STAGING } from './hour.ts';

/* Setting up Usher, and connecting the own pages. */

const PASSWORD = 'correct horse 42 battery';

export async function setUp(hour: Hour): Promise<void> {
  const link = /^\s+(http\S+\/app\/setup#\S+)$/m.exec(hour.usher.printed())?.[1];
  hour.secret = /account secret +(\S+)/.exec(hour.usher.printed())?.[1] ?? '';
  await hour.page.goto(link ?? '');
  await hour.page.getByLabel('Your name').fill('Ann Lee');
  await hour.page.getByLabel('Email').fill('ann@harvest.test');
  await hour.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await hour.page.getByLabel('Product name').fill('Harvest');
  await hour.page.getByLabel(/^Product domain/).fill(hour.at(PRODUCTION));
  await takePicture(hour.page, 'hour-02-setup');
  await hour.press('Create account');
  await hour.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await takePicture(hour.page, 'hour-02-home');
}

export async function finishDemoTour(hour: Hour): Promise<void> {
  await hour.page.getByRole('link', { name: 'Show how to install' }).click();
  const opened = hour.own.waitForEvent('page');
  await hour.page.getByRole('link', { name: 'Open the demo site' }).click();
  const demo = await opened;
  for (const name of ['Show me around', 'Next', 'Next', 'Done']) {
    await demo.getByRole('button', { name, exact: true }).waitFor();
    await takePicture(demo, `hour-02-demo-${name}`);
    await demo.getByRole('button', { name, exact: true }).click();
  }
  await demo.getByRole('dialog').waitFor({ state: 'detached' });
  await demo.close();
}

export async function connectOwnPage(hour: Hour): Promise<void> {
  await hour.open('/app/settings/install');
  await hour.copySnippet();
  expect(hour.product.head.trim().split('\n')).toHaveLength(2);
  const customer = await hour.own.newPage();
  await customer.goto(hour.at(STAGING));
  await hour.page.bringToFront();
  await takePicture(hour.page, 'hour-03-off');
  await hour.press(`Turn on ${STAGING}`);
  await hour.toast(`${STAGING} is on`);
  await customer.reload();
  await hour.page.getByText(`Usher works on ${STAGING}`).waitFor();
  await takePicture(hour.page, 'hour-03-works');
  await customer.close();
}

/** Starts the server with a path of the own domain, as the guide says, and puts the new snippet into the pages. */
export async function moveToOwnDomain(hour: Hour): Promise<void> {
  await hour.usher.stop();
  await hour.usher.start({
    USHER_BASE_PATH: '/help',
    USHER_PAGE_URL: `http://${PRODUCTION}:${hour.product.port}/help`,
    USHER_TRUST_PROXY: '127.0.0.1',
    USHER_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
  });
  await hour.open('/app/settings/install');
  await hour.copySnippet();
  expect(hour.product.head).toContain(`http://${PRODUCTION}:${hour.product.port}/help/script/`);
  await takePicture(hour.page, 'hour-06-install');
}
