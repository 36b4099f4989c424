import type { Role } from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createSetupLink } from '../../server/src/features/team/links/create-setup-link.ts';
import { insertLink } from '../../server/src/features/team/links/queries.ts';
import { addSignedIn, Browser, PASSWORD, storeSession } from '../../server/test/sign-in.ts';
import {
  accessibilityProblems,
  type Dashboard,
  focused,
  startDashboard,
  startOwnDashboard,
  takePicture,
} from './browser.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());

const invite = async (role: Role) => {
  const { app, account } = dashboard.api;
  const link = { kind: 'invite' as const, account_id: account.account_id, role };
  return (await app.storage.write(null, (db) => insertLink(app, db, link))).token;
};
const resetLink = async (person_id: string) => {
  const { app } = dashboard.api;
  return (await app.storage.write(null, (db) => insertLink(app, db, { kind: 'reset', person_id }))).token;
};
describe('signing in', () => {
  it('works by mouse, shows the page that was opened, and signs out', async () => {
    const { email } = await addSignedIn(dashboard.api, 'viewer');
    const page = await dashboard.open('/app/settings/devices', { as: null });
    expect(await page.title()).toBe('Sign in · Usher');
    await page.getByLabel('Email').click();
    await page.keyboard.type(email);
    await page.getByText('Forgot your password?').click();
    await page.getByText(`npx usher admin reset-link --email ${email}`).waitFor();
    await page.getByLabel('Password', { exact: true }).click();
    await page.keyboard.type('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('Email or password is wrong').waitFor();
    await takePicture(page, 'sign-in-wrong-light');
    expect(await page.getByLabel('Email').inputValue()).toBe(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Your devices' }).waitFor();
    await page.getByText('This device', { exact: true }).waitFor();

    const [before] = await page.context().cookies();
    await page.getByRole('button', { name: /^You/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    // The old cookie is rejected after the sign-out.
    const signedOut = new Browser(dashboard.api, before?.value);
    expect((await signedOut.get('/v3/session')).status).toBe(401);
  });

  it('works by keyboard alone, from the first address to Home', async () => {
    const { email } = await addSignedIn(dashboard.api, 'viewer');
    const page = await dashboard.open('/', { as: null });
    expect(await focused(page)).toBe('input Email');
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/app');
  });

  it('explains why it does not work over plain HTTP, and what to do', async () => {
    const { api, browser } = dashboard;
    const page = await browser.newPage();
    await page.goto(api.url.replace('127.0.0.1', 'usher.test'));
    await page.getByText('This connection is not encrypted').waitFor();
    await page.getByText(/^ssh -L/).waitFor();
    expect(await page.getByLabel('Password').count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await takePicture(page, 'insecure-light');
    await page.close();
  });
});

describe('the setup link', () => {
  it('says at the field what is wrong, and leads from the printed address to Home by keyboard', async () => {
    const fresh = await startOwnDashboard();
    onTestFinished(() => fresh.stop());
    const token = await createSetupLink(fresh.api.app);
    const page = await fresh.open(`/app/setup#${token}`, { as: null });
    await page.getByLabel('Your name').waitFor();
    const type = async (...values: string[]) => {
      for (const value of values) {
        await page.keyboard.press('Control+a');
        await page.keyboard.type(value);
        await page.keyboard.press('Tab');
      }
    };
    const typeAll = async (name: string, email: string, password: string) => {
      await type(name, email, password);
      // The button that shows the password comes before the next field.
      await page.keyboard.press('Tab');
      await type('Acme App');
    };
    await typeAll('Ann Lee', 'ann', 'short');
    await page.keyboard.press('Enter');
    await page.getByText(/^Email must be/).waitFor();
    await page.getByText(/^Password has 5 characters/).waitFor();
    expect(await page.getByLabel('Email').getAttribute('aria-invalid')).toBe('true');
    expect(await focused(page)).toBe('input Email');
    expect(await accessibilityProblems(page)).toEqual([]);
    await takePicture(page, 'setup-wrong-light', true);

    await page.keyboard.press('Shift+Tab');
    await typeAll('Ann Lee', 'ann.lee@people.test', PASSWORD);
    await page.keyboard.type('https://app.acme.test/start');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await page.getByRole('link', { name: 'Show how to install' }).waitFor();
    await page.getByRole('button', { name: 'Account: Acme App. Switch account' }).waitFor();
    const { body } = await fresh.api.get('/v3/edit/urls');
    expect(body.urls).toEqual([expect.objectContaining({ host: 'app.acme.test', enabled: 'on' })]);
    await page.goto(`${fresh.api.url}/app/setup#${token}`);
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
  });
});

describe('an invitation', () => {
  it('lets somebody new join', async () => {
    const page = await dashboard.open(`/app/join#${await invite('viewer')}`, { as: null });
    await page.getByRole('heading', { name: 'Join Acme' }).waitFor();
    await page.getByLabel('Your name').fill('Bo Young');
    await page.getByLabel('Email').fill('bo@people.test');
    await page.getByLabel('Password', { exact: true }).fill('Password1');
    await page.getByText('Too common: choose another').waitFor();
    await page.getByRole('button', { name: 'Join account' }).click();
    await page.getByText(/is a common password/).waitFor();
    await page.getByLabel('Password', { exact: true }).fill('bo young 1');
    await page.getByText('Not your email or name').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByText('Very good').waitFor();
    await page.getByRole('button', { name: 'Join account' }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await page.getByRole('button', { name: 'You: Bo Young' }).waitFor();
  });

  it('lets somebody join who has signed in', async () => {
    const { api } = dashboard;
    const admin = await addSignedIn(api, 'viewer', { accountId: api.other.account_id });
    const page = await dashboard.open(`/app/join#${await invite('editor')}`, { admin });
    await page.getByRole('button', { name: 'Join as Kim viewer' }).click();
    await page.getByRole('button', { name: 'Account: Acme. Switch account' }).waitFor();
  });

  it('says what to do if the link was used', async () => {
    const page = await dashboard.open('/app/join#no-such-token', { as: null });
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await page.getByText('Ask the person who invited you').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await takePicture(page, 'bad-link-light');
  });
});

it('sets a new password with a link, and signs in', async () => {
  const { personId, email } = await addSignedIn(dashboard.api, 'editor');
  const page = await dashboard.open(`/app/reset#${await resetLink(personId)}`, { as: null });
  await page.getByText(`For ${email}.`).waitFor();
  await takePicture(page, 'reset-light');
  await page.getByLabel('New password').fill('another long password');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
});

it('signs out one device, all others, and everywhere', async () => {
  const { api } = dashboard;
  const admin = await addSignedIn(api, 'editor');
  const addDevice = () => storeSession(api, admin.personId, api.account.account_id);
  await addDevice();
  await addDevice();
  const page = await dashboard.open('/app/settings/devices', { admin });
  const rows = page.getByRole('grid').getByRole('row');
  await page.getByText('This device', { exact: true }).waitFor();
  expect(await rows.count()).toBe(4);
  await page.getByRole('button', { name: 'Sign out test' }).first().click();
  await page.getByText('Signed out test').waitFor();
  await expect.poll(() => rows.count()).toBe(3);
  await page.getByRole('button', { name: 'Sign out all other devices' }).click();
  await page.getByText('All other devices are signed out').waitFor();
  await page.getByText('You are signed in on this device only.').waitFor();
  expect(await rows.count()).toBe(2);
  const other = new Browser(api, await addDevice());
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  for (const { browser } of [admin, { browser: other }]) expect((await browser.get('/v3/session')).status).toBe(401);
});
