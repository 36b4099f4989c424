import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setUpDemo } from '../../server/src/features/install/demo/set-up-demo.ts';
import { demoFolder } from '../../server/src/folders.ts';
import { addSignedIn, forgetConfirmation, PASSWORD } from '../../server/test/sign-in.ts';
import { HOST, openDomain, visit } from '../../server/test/visiting.ts';
import { accessibilityProblems, type Dashboard, startOwnDashboard, takePicture } from './browser.ts';
import { countClicks, tabTo } from './by-hand.ts';
import { startCustomerSite } from './customer-site.ts';
import { expectGoodLooks } from './looks.ts';

const PATH = '/app/settings/install';

let dashboard: Dashboard;
let firstAccount: Dashboard['api']['account'];
beforeAll(async () => {
  dashboard = await startOwnDashboard();
  firstAccount = dashboard.api.account;
});
afterAll(() => dashboard.stop());
beforeEach(() => dashboard.api.replaceAccounts());

const check = (page: Page) => page.getByRole('region', { name: 'Does it work?' });
const log = (page: Page) => page.getByRole('list', { name: 'Entries of the live log' });

/** Copies the snippet as a person does. */
async function copySnippet(page: Page, tab = 'HTML with calls'): Promise<string> {
  await page.getByRole('tab', { name: tab, exact: true }).click();
  const block = page.locator('figure', { hasText: 'In the head of every page' });
  await block.getByRole('button', { name: 'Copy' }).click();
  await block.getByText('Copied').waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Sends a visit after the page has begun to watch. */
async function visitWatched(page: Page, params: object): Promise<void> {
  await check(page).waitFor();
  await visit(dashboard.api, params, {
    headers: { 'User-Agent': 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Gecko Firefox/140.0' },
  });
}

it('shows on the demo site that it works, after one click, by mouse or by keyboard alone', async () => {
  // The accounts are as after the first start: the demo site belongs to the first account.
  const { api } = dashboard;
  const experiences = JSON.parse(readFileSync(join(demoFolder, 'experiences.json'), 'utf8'));
  await setUpDemo(api.app, firstAccount, experiences);
  const admin = await addSignedIn(api, 'owner', { accountId: firstAccount.account_id });
  const page = await dashboard.open(PATH, { admin });
  await page.getByText('Waiting for the first page load…').waitFor();
  const clicks = await countClicks(page);
  const link = page.getByRole('link', { name: 'Open the demo site' });
  await tabTo(page, link);
  const opened = page.context().waitForEvent('page');
  await page.keyboard.press('Enter');
  const demo = await opened;
  await demo.getByRole('heading', { level: 1 }).waitFor();
  await page.getByText('Usher works on 127.0.0.1').waitFor();
  await check(page)
    .getByText(/^User \S+ in Chrome on/)
    .waitFor();
  expect(await clicks()).toBe(1);
  await takePicture(page, 'install-works-light');
  expect(await accessibilityProblems(page)).toEqual([]);
  const openedAgain = page.context().waitForEvent('page');
  await link.click();
  await openedAgain;
});

describe("a customer's own page", () => {
  it('is found off, turned on, and works, with the snippet that was copied', async () => {
    const { api } = dashboard;
    await openDomain(api);
    const page = await dashboard.open(PATH);
    const snippet = await copySnippet(page);
    expect(snippet).toContain(`'${api.url}/script/${api.account.account_token}.js'`);
    const { url } = await startCustomerSite(() => `${snippet}<script>usher.identify('ann', { plan: 'pro' })</script>`);
    const customer = await page.context().newPage();
    await customer.goto(`${url}/projects?token=hidden#hidden`);
    await page.getByText('localhost has loaded the script, but is turned off').waitFor();
    await log(page).getByText('localhost is turned off').waitFor();
    await takePicture(page, 'install-off-light');
    await check(page).getByRole('button', { name: 'Turn on localhost' }).click();
    await page.getByText('localhost is on').waitFor();
    await page.getByText('localhost has loaded the script. Who is signed in?').waitFor();
    await customer.reload();
    await page.getByText('Usher works on localhost').waitFor();
    await check(page)
      .getByText(/^User \u2068ann\u2069 in Chrome on/)
      .waitFor();
    await log(page).getByText('User identified').waitFor();
    await log(page).getByText('localhost/projects', { exact: true }).waitFor();
    await customer.evaluate(() => Reflect.get(window, 'usher').track('Report exported', { format: 'pdf' }));
    await log(page).getByText('Event “Report exported”').waitFor();
    expect(await page.getByText('hidden').count()).toBe(0);
    await page.getByRole('heading', { name: 'Domains that were seen' }).waitFor();
    // Only the app is checked: outside of it, react-aria announces the state of a button that is gone by now.
    expect(await accessibilityProblems(page, '#app')).toEqual([]);
    await takePicture(page, 'install-log-light', true);
  });

  it('works with the two lines of the first tab, which identify the user', async () => {
    const page = await dashboard.open(PATH);
    const snippet = await copySnippet(page, 'HTML');
    const customer = await page.context().newPage();
    await customer.goto((await startCustomerSite(() => snippet.replace('18821', 'dora'))).url);
    await page.getByText('Usher works on localhost').waitFor();
    await log(page).getByText('dora').first().waitFor();
    const attributes = snippet
      .replace(/<script>.*/, '')
      .replace('async', 'async data-uid="emil" data-first-name="Emil"');
    await customer.goto((await startCustomerSite(() => attributes)).url);
    await log(page).getByText('emil').first().waitFor();
    const { body } = await dashboard.api.get('/v3/analyze/profile?uid=emil');
    expect(body.profile).toMatchObject({ first_name: 'Emil' });
    // Nobody is signed in.
    await customer.goto((await startCustomerSite(() => attributes.replace('emil', ''))).url);
    await customer.waitForFunction(() => Reflect.get(Reflect.get(window, 'usher'), 'track'));
    expect((await dashboard.api.get('/v3/analyze/profiles/count')).body).toEqual({ count: 2 });
  });

  it('works under a strict policy with the lines that the page shows, and if a tag manager adds the snippet', async () => {
    const page = await dashboard.open(PATH);
    const copied = await copySnippet(page);
    const snippet = copied.replace('<script>', '<script nonce="once">');
    const lines = await page.locator('figure pre', { hasText: 'connect-src' }).textContent();
    const policy = `default-src 'none'; ${lines?.replace('script-src', "script-src 'nonce-once'").replaceAll('\n', ' ')}`;
    const identify = `<script nonce="once">usher.identify('ann')</script>`;
    const strict = await startCustomerSite(() => `${snippet}${identify}`, policy);
    const customer = await page.context().newPage();
    const blocked: string[] = [];
    customer.on('console', (message) => message.type() === 'error' && blocked.push(message.text()));
    await customer.goto(strict.url);
    await page.getByText('Usher works on localhost').waitFor();
    await log(page).getByText('ann').first().waitFor();
    // The browser requests an icon automatically.
    expect(blocked.filter((text) => !text.includes('favicon'))).toEqual([]);

    const managed = await startCustomerSite(() => '');
    await customer.goto(managed.url);
    const code = copied.replace(/^<script>|<\/script>$/g, '');
    await customer.evaluate((code) => {
      for (const text of [code, "usher.identify('bob')"])
        document.body.append(Object.assign(document.createElement('script'), { text }));
    }, code);
    await log(page).getByText('bob').first().waitFor();
  });

  it('shows in the log why it was rejected, announces the newest entry only, and is accessible with hostile names', async () => {
    const { api } = dashboard;
    await openDomain(api);
    await api.post('/v3/edit/account/uid_secret');
    await api.patch('/v3/edit/account', { require_uid_hash: true });
    const page = await dashboard.open(PATH);
    await visitWatched(page, { uid: 'eve' });
    await page.getByText(`The page load on ${HOST} was rejected`).waitFor();
    await log(page).getByText('uid_hash must prove the uid').waitFor();
    await takePicture(page, 'install-rejected-light');

    await api.patch('/v3/edit/account', { require_uid_hash: false });
    await visitWatched(page, { uid: 'ann' });
    const announced = page.locator('p[aria-live=polite]');
    await expect
      .poll(() => announced.textContent(), { timeout: 10_000 })
      .toBe(`User identified, ann, ${HOST}, Accepted`);

    const hostile = '<img src=x onerror=alert(1)>\u202e';
    await visitWatched(page, {
      uid: hostile.repeat(6),
      properties: { plan: 'pro' },
      href: `https://${HOST}/${'a'.repeat(400)}`,
    });
    await log(page).getByText('<img src=x').first().waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await expectGoodLooks(page, 'install-hostile', 'main');
  });

  it('says so if somebody deleted the domain meanwhile', async () => {
    const { api } = dashboard;
    await api.post('/v3/edit/urls', { host: 'other.example.com', enabled: 'on' });
    const page = await dashboard.open(PATH);
    await visitWatched(page, { uid: 'ann' });
    const button = check(page).getByRole('button', { name: `Turn on ${HOST}` });
    await button.waitFor();
    // From now on, the page keeps showing the earlier state.
    await page.route('**/v3/analyze/installation*', () => {});
    const db = api.app.storage;
    await db.write(api.account.account_id, (db) =>
      db.deleteFrom('urls').where('account_id', '=', api.account.account_id).where('host', '=', HOST).execute(),
    );
    await button.click();
    await page.getByText('This is gone').waitFor();
  });
});

describe('the page', () => {
  it('has the code for each way to build a product', async () => {
    const page = await dashboard.open(PATH);
    await page.getByText('Waiting for the first page load…').waitFor();
    expect(await page.title()).toBe('Install · Usher');
    const { url, account } = dashboard.api;
    for (const [tab, words] of [
      ['React', `VITE_USHER_URL=${url}`],
      ['Vue', `VITE_USHER_TOKEN=${account.account_token}`],
      ['Tag manager', 'Custom HTML'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByRole('tabpanel').getByText(words).first().waitFor();
    }
    await page.getByText(`connect-src 'self' ${url};`).waitFor();
    for (const language of ['Node', 'Python', 'Ruby', 'PHP', 'Java'])
      await page.getByRole('tab', { name: language }).waitFor();
  });

  it('says what happened if it cannot be loaded, and what to check if nothing comes for half a minute', async () => {
    const page = await dashboard.open('/app/settings/profile', { isNew: true });
    const link = page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Install' });
    await page.route('**/v3/analyze/installation*', (route) =>
      route.fulfill({ status: 403, json: { code: 403, messages: ['Only owners may do this'] } }),
    );
    await link.click();
    await page.getByText('Only owners may do this.').waitFor();
    await page.unrouteAll();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Your profile' }).waitFor();
    await page.clock.install();
    await link.click();
    await page.getByText('Waiting for the first page load…').waitFor();
    expect(await page.getByText('An ad blocker stops it.').isVisible()).toBe(false);
    await page.clock.fastForward(31_000);
    await page.getByText('An ad blocker stops it.').waitFor();
    await page.getByText(dashboard.api.account.account_token, { exact: true }).waitFor();
    expect(await accessibilityProblems(page, 'main section')).toEqual([]);
    await takePicture(page, 'install-help-light');
  });

  it('has no buttons for a viewer', async () => {
    await dashboard.api.post('/v3/edit/urls', { host: 'other.example.com', enabled: 'on' });
    const page = await dashboard.open(PATH, { as: 'viewer' });
    await visitWatched(page, { uid: 'ann' });
    await page.getByText(`${HOST} has loaded the script, but is turned off`).waitFor();
    await page.getByText('Ask an editor or an owner to turn it on.').waitFor();
    await page.getByText('while an editor or an owner has this page open').waitFor();
    for (const name of [/^Turn on/, 'Create secret', 'Test hash'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    expect(await page.getByRole('switch').count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await takePicture(page, 'install-viewer-light', true);
  });
});

describe('proving who the user is', () => {
  it('creates and replaces a secret after the password, tests hashes, and trusts pages after the password', async () => {
    const admin = await addSignedIn(dashboard.api, 'owner');
    await forgetConfirmation(dashboard.api, admin.personId);
    const page = await dashboard.open(PATH, { admin });
    const confirm = async () => {
      await page
        .getByRole('dialog', { name: 'Confirm that it is you' })
        .getByLabel(/^Password/)
        .fill(PASSWORD);
      await page.keyboard.press('Enter');
    };
    await page.getByText('There is no secret yet, so hashes prove nothing.').waitFor();
    await page.getByRole('button', { name: 'Create secret' }).click();
    await confirm();
    const dialog = page.getByRole('dialog', { name: 'Your new secret' });
    const secret = (await dialog.locator('pre').textContent()) ?? '';
    expect(secret).toMatch(/^usher_uid_secret_/);
    await takePicture(page, 'install-secret-light');
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('There is a secret. Hashes are checked.').waitFor();

    const seconds = Math.floor(Date.now() / 1000);
    const sign = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
    await page.getByLabel('User ID').fill('18821');
    await page.getByLabel('Hash', { exact: true }).fill(`${sign(`18821-${seconds}`)}-${seconds}`);
    await page.getByRole('button', { name: 'Test hash' }).click();
    await page.getByText(/^This hash proves the user until/).waitFor();
    await takePicture(page, 'install-right-light', true);
    await page.getByLabel('Hash', { exact: true }).fill(sign('18821'));
    await page.keyboard.press('Enter');
    await page.getByText('The hash was made without the time.').waitFor();
    expect(await accessibilityProblems(page, 'main section')).toEqual([]);
    await page.getByText('It is an identity_hash, with email and Company').click();
    await page.getByRole('textbox', { name: 'Email' }).fill('ann@example.com');
    const signed = ['18821', 'ann@example.com', '', seconds].join('\n');
    await page.getByLabel('Hash', { exact: true }).fill(`${sign(signed)}-${seconds}`);
    await page.keyboard.press('Enter');
    await page.getByText(/^This hash proves the user until/).waitFor();

    await page.getByRole('button', { name: 'Replace secret' }).click();
    const replacing = page.getByRole('alertdialog');
    expect(await replacing.getByRole('button', { name: 'Replace secret' }).isDisabled()).toBe(true);
    await page.keyboard.type('replace');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'I have stored it' }).click();

    await forgetConfirmation(dashboard.api, admin.personId);
    const isTrusting = async () => (await dashboard.api.get('/v3/edit/account')).body.account.trust_pages;
    const toggle = page.getByRole('switch', { name: 'Trust what pages say about their user' });
    await toggle.focus();
    await page.keyboard.press('Space');
    await confirm();
    await page.getByText('On: every page is trusted.').waitFor();
    expect(await isTrusting()).toBe(true);
    await toggle.focus();
    await page.keyboard.press('Space');
    await page.getByText('Pages need proof again').waitFor();
    expect(await isTrusting()).toBe(false);
  });
});
