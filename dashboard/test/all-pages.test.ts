import type { Role } from '@usher/domain';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createSetupLink } from '../../server/src/features/team/links/create-setup-link.ts';
import { insertLink } from '../../server/src/features/team/links/queries.ts';
import { addSignedIn } from '../../server/test/sign-in.ts';
import { analyticsTabs } from '../src/pages/analytics/analytics-tabs.ts';
import { experienceTabs } from '../src/pages/experiences/experience-tabs.ts';
import { personTabs } from '../src/pages/person/person-tabs.ts';
import { themeTabs } from '../src/pages/themes/theme-tabs.ts';
import { type Dashboard, startDashboard, startOwnDashboard } from './browser.ts';
import { type FullAccount, fillAccount } from './full-account.ts';
import { expectFittingTables, expectGoodLook, expectGoodLooks } from './looks.ts';

/*
 * Every page is accessible and fits, in light, dark and on a phone. This file checks that for all pages, so the tests
 * of the pages need not. A page of the table of routes that is missing here makes a test fail.
 */

// The build replaces this constant. The pages behind it have tests of their own: components.test.ts and
// preview.test.ts.
vi.stubGlobal('__HAS_PARTS_PAGE__', false);
const { plainRoutes, routes, signInRoute } = await import('../src/routes.tsx');

let dashboard: Dashboard;
let account: FullAccount;
beforeAll(async () => {
  dashboard = await startDashboard();
  account = await fillAccount(dashboard);
});
afterAll(() => dashboard.stop());

const text = (words: string | RegExp) => (page: Page) => page.getByText(words);
const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name });
const row = (name: string | RegExp) => (page: Page) => page.getByRole('row', { name });

interface Visit {
  /** An element that is visible when everything has been loaded, once or more. */
  shows: (page: Page) => Locator;
  /** The field of the account with the value of `:id`. */
  id?: Exclude<keyof FullAccount, 'admin'>;
  hasTable?: true;
}

const HOSTILE = /<img src=x/;
const inAccount: Record<string, Visit> = {
  '/app': { shows: text('A step of “What takes a seat?” does not show') },
  '/app/experiences': { shows: row(HOSTILE), hasTable: true },
  '/app/experiences/:id': { id: 'tour', shows: (page) => page.getByLabel('Title', { exact: true }) },
  '/app/experiences/:id/targeting': { id: 'tour', shows: (page) => page.getByRole('region', { name: 'Schedule' }) },
  '/app/experiences/:id/languages': { id: 'tour', shows: (page) => page.getByLabel(/^German: Title, 1/) },
  '/app/experiences/:id/history': { id: 'tour', shows: (page) => page.locator('ol > li') },
  '/app/experiences/:id/results': { id: 'tour', shows: (page) => page.getByRole('heading', { name: 'By day' }) },
  '/app/experiences/:id/responses': { id: 'survey', shows: (page) => page.getByText(/^[\d,]+ responses$/) },
  '/app/proposals': { shows: row(HOSTILE), hasTable: true },
  '/app/proposals/:id': { id: 'proposal', shows: button('Approve and publish') },
  '/app/segments': { shows: row(HOSTILE) },
  '/app/segments/:id': { id: 'segment', shows: (page) => page.getByRole('link', { name: HOSTILE }) },
  '/app/analytics': { shows: (page) => page.getByRole('table', { name: 'By Experience' }) },
  '/app/analytics/adoption': { shows: text('No event chosen') },
  '/app/analytics/funnel': { shows: text('See where people get stuck') },
  '/app/analytics/interruptions': { shows: text(/^Nobody was interrupted|^An interruption is a/) },
  '/app/analytics/reports': { shows: row(HOSTILE), hasTable: true },
  '/app/analytics/reports/:id': { id: 'report', shows: button(/^Actions for <img/) },
  '/app/experiments': { shows: row(HOSTILE), hasTable: true },
  '/app/experiments/:id': { id: 'experiment', shows: text(/^No decision/) },
  '/app/people': { shows: row('Ann Lee'), hasTable: true },
  '/app/people/:id': { id: 'person', shows: (page) => page.getByRole('table', { name: 'Properties' }) },
  '/app/people/:id/timeline': {
    id: 'person',
    shows: (page) => page.getByRole('article', { name: /^Delivery created/ }),
  },
  '/app/people/:id/queue': { id: 'person', shows: (page) => page.getByRole('region', { name: 'Would see next' }) },
  '/app/companies': { shows: row('Acme') },
  '/app/companies/:id': { id: 'company', shows: row(HOSTILE) },
  '/app/events': { shows: row(HOSTILE), hasTable: true },
  '/app/events/:id': { id: 'event', shows: (page) => page.getByRole('list', { name: 'Latest' }) },
  '/app/imports': { shows: row(HOSTILE), hasTable: true },
  '/app/imports/:id': { id: 'import', shows: (page) => page.getByLabel(/^“Plan” sets/) },
  '/app/deliveries': { shows: text(/Not before Jan 1, 2090/) },
  '/app/languages': { shows: row(/^Arabic/) },
  '/app/media': { shows: button(/^Open <img/) },
  '/app/themes': { shows: row(HOSTILE), hasTable: true },
  '/app/themes/:id': { id: 'theme', shows: (page) => page.locator('li[data-kind=embed] iframe[data-painted]') },
  '/app/themes/:id/variations': { id: 'theme', shows: button(/^1\./) },
  '/app/themes/:id/history': {
    id: 'theme',
    shows: (page) => page.getByRole('button', { name: 'Go back to this version' }),
  },
  '/app/clean-up': { shows: row(HOSTILE), hasTable: true },
  '/app/domains': { shows: row('app.acme.test'), hasTable: true },
  '/app/settings': { shows: (page) => page.getByRole('link', { name: 'Your devices' }) },
  '/app/settings/account': { shows: (page) => page.getByLabel('Account name') },
  '/app/settings/appearance': { shows: (page) => page.getByRole('radio', { name: 'Dark' }) },
  '/app/settings/install': { shows: text('app.acme.test') },
  '/app/settings/goals': { shows: text(/^Event paid, within 14 days/i) },
  '/app/settings/limits': { shows: text('1 in 7 days') },
  '/app/settings/alerts': { shows: text('7 days unseen'), hasTable: true },
  '/app/settings/webhooks': { shows: row(HOSTILE) },
  '/app/settings/webhooks/:id': { id: 'webhook', shows: text('No requests yet') },
  '/app/settings/team': { shows: text('Mo <script>') },
  '/app/settings/audit-log': { shows: row(/created the API secret “Nightly import”/) },
  '/app/settings/secrets': { shows: row(/Nightly import/), hasTable: true },
  '/app/settings/move': { shows: (page) => page.getByLabel('Address of the other service') },
  '/app/settings/backups': {
    shows: text(/owners of the account that was created first|No backups are made automatically/),
  },
  '/app/settings/health': { shows: text(/^SQLite \d/) },
  '/app/settings/profile': { shows: (page) => page.getByLabel('Name') },
  '/app/settings/devices': { shows: text('This device') },
};
/** Pages that only redirect. */
const moved = ['/app/settings/languages'];

const tabs: Record<string, readonly { path: string }[]> = {
  '/app/analytics/:tab?': analyticsTabs,
  '/app/experiences/:id/:tab?': experienceTabs,
  '/app/people/:id/:tab?': personTabs,
  '/app/themes/:id/:tab?': themeTabs,
};
const allPaths = routes.flatMap(({ path }) =>
  path.includes(':tab?')
    ? (tabs[path] ?? [{ path: '?' }]).map((tab) => path.replace(/\/:tab\?$/, tab.path && `/${tab.path}`))
    : path,
);

const insert = async (link: Parameters<typeof insertLink>[2]) => {
  const { app } = dashboard.api;
  return (await app.storage.write(null, (db) => insertLink(app, db, link))).token;
};
/** The server and the part after `#` of each page that has no frame. */
const linkTo: Record<string, () => Promise<readonly [Dashboard, string | undefined]>> = {
  '/app/setup': async () => {
    // The setup page is for a server without a person who has a password.
    const fresh = await startOwnDashboard();
    onTestFinished(() => fresh.stop());
    return [fresh, await createSetupLink(fresh.api.app)];
  },
  '/app/join': async () => {
    const { account_id } = dashboard.api.account;
    return [dashboard, await insert({ kind: 'invite', account_id, role: 'viewer' })];
  },
  '/app/reset': async () => [dashboard, await insert({ kind: 'reset', person_id: account.admin.personId })],
  '/': async () => [dashboard, undefined],
};

it('checks every page of the table of routes', () => {
  expect([...Object.keys(inAccount), ...moved].toSorted()).toEqual(allPaths.toSorted());
  const plain = [...plainRoutes, signInRoute].map(({ path }) => path);
  expect(Object.keys(linkTo).toSorted()).toEqual(plain.toSorted());
});

describe('is accessible and fits', () => {
  it.each(Object.entries(inAccount))('%s', async (path, { shows, id, hasTable }) => {
    const page = await dashboard.open(path.replace(':id', id ? account[id] : ''), { admin: account.admin });
    await shows(page).first().waitFor();
    // Markup in names is shown as text, and creates no elements.
    expect(await page.locator('img[src="x"], main script').count()).toBe(0);
    const name = path.replace('/app', 'page').replaceAll('/', '-').replace(':id', 'one');
    await expectGoodLooks(page, name);
    if (hasTable) await expectFittingTables(page, name);
  });

  it.each(Object.entries(linkTo))('%s, without a frame', async (path, open) => {
    const [server, token = ''] = await open();
    const page = await server.open(`${path}#${token}`, { as: null });
    await page
      .getByLabel(/^Password|^New password/)
      .first()
      .waitFor();
    await expectGoodLooks(page, `plain${path.replace('/app', '').replaceAll('/', '-')}`);
  });

  it('an address that does not exist', async () => {
    const page = await dashboard.open('/app/no-such-page', { admin: account.admin });
    await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
    await expectGoodLooks(page, 'not-found');
  });
});

describe('an empty account', () => {
  const emptyPages: Record<string, string> = {
    '/app': 'Nothing needs attention',
    '/app/experiences': 'No Experiences yet',
    '/app/analytics': 'Nobody has seen an Experience in this period',
    '/app/analytics/adoption': 'No events yet',
    '/app/analytics/funnel': 'See where people get stuck',
    '/app/analytics/reports': 'No reports yet',
    '/app/proposals': 'No proposals',
    '/app/segments': 'No Segments yet',
    '/app/people': 'Install the script',
    '/app/companies': 'No Companies yet',
    '/app/events': 'No events yet',
    '/app/imports': 'No imports yet',
    '/app/deliveries': 'No Deliveries yet',
    '/app/languages': 'No other languages yet',
    '/app/domains': 'No domains yet',
    '/app/settings/install': 'Waiting',
    '/app/settings/goals': 'No shared goals yet',
    '/app/experiments': 'No experiments yet',
    '/app/clean-up': 'No Experiences to clean up',
    '/app/settings/limits': 'No limits yet',
    '/app/settings/alerts': 'No alerts yet',
    '/app/settings/webhooks': 'No webhooks yet',
    '/app/settings/secrets': 'No program uses the API yet',
    '/app/settings/audit-log?action=profile.forget': 'No entry matches',
  };

  /** Each empty list has a drawing of its own. */
  const drawings: Record<string, string> = {
    '/app': 'live',
    '/app/experiences': 'experiences',
    '/app/proposals': 'proposals',
    '/app/segments': 'segments',
    '/app/people': 'people',
    '/app/companies': 'companies',
    '/app/events': 'events',
    '/app/imports': 'imports',
    '/app/deliveries': 'deliveries',
    '/app/languages': 'languages',
    '/app/domains': 'domains',
    '/app/experiments': 'experiments',
    '/app/settings/goals': 'goals',
    '/app/clean-up': 'clean_up',
    '/app/settings/limits': 'limits',
    '/app/settings/alerts': 'alerts',
    '/app/settings/webhooks': 'webhooks',
    '/app/settings/secrets': 'secrets',
    '/app/settings/audit-log?action=profile.forget': 'auditLog',
  };

  it.each(Object.entries(emptyPages))('is accessible and fits at %s', async (path, words) => {
    const as = dashboard.api.other;
    const admin = await addSignedIn(dashboard.api, 'owner', { accountId: as.account_id });
    for (const { id } of (await admin.browser.get('/v3/edit/secrets')).body.secrets)
      await admin.browser.delete(`/v3/edit/secrets/${id}`);
    const page = await dashboard.open(path, { admin });
    await page.getByText(words).waitFor();
    if (drawings[path]) await page.locator(`[data-drawing=${drawings[path]}] > *`).first().waitFor();
    const name = `empty${path.replace('/app', '').replace(/\?.*/, '').replaceAll('/', '-')}`;
    // Every new customer sees these two pages.
    if (path === '/app' || path === '/app/settings/install') await expectGoodLooks(page, name);
    else await expectGoodLook(page, `${name}-light`);
  });
});

/* The same pages in other states, or for other people. */
describe('is accessible and fits in another state', () => {
  interface State extends Visit {
    path: string;
    as?: Role;
  }
  const states: Record<string, State> = {
    'the editor of a survey': { path: '/app/experiences/:id', id: 'survey', shows: button(/Question type/) },
    'the editor of a launcher': { path: '/app/experiences/:id', id: 'launcher', shows: button('Add item') },
    'a tour without steps': { path: '/app/experiences/:id', id: 'empty', shows: text('Nothing in it yet') },
    'the results of a survey': {
      path: '/app/experiences/:id/results',
      id: 'survey',
      shows: (page) => page.getByRole('region', { name: /^Texts for/ }),
    },
    'the responses of a survey': {
      path: '/app/experiences/:id/responses',
      id: 'survey',
      shows: (page) => page.getByRole('list', { name: 'Responses' }),
    },
    'results of a draft': { path: '/app/experiences/:id/results', id: 'empty', shows: text('No results yet') },
    'a person without properties': { path: '/app/people/:id', id: 'unknown', shows: text('No properties yet') },
    'a new Segment': { path: '/app/segments/new', shows: (page) => page.getByLabel('Name', { exact: true }) },
    Environments: { path: '/app/domains?tab=environments', shows: row(HOSTILE) },
    'people with filters': {
      path: `/app/people?filters=${encodeURIComponent('[{"kind":"property","prop":"plan","op":"eq","value":"pro"}]')}`,
      shows: button('Save as Segment'),
    },
    'Home for a viewer': { path: '/app', as: 'viewer', shows: text('Getting started') },
    'an Experience for a viewer': {
      path: '/app/experiences/:id',
      id: 'tour',
      as: 'viewer',
      shows: text('You may look at this'),
    },
    'targeting for a viewer': {
      path: '/app/experiences/:id/targeting',
      id: 'tour',
      as: 'viewer',
      shows: (page) => page.getByRole('region', { name: 'Schedule' }),
    },
    'the account for a viewer': {
      path: '/app/settings/account',
      as: 'viewer',
      shows: (page) => page.getByLabel('Account name'),
    },
    'a webhook for a viewer': {
      path: '/app/settings/webhooks/:id',
      id: 'webhook',
      as: 'viewer',
      shows: text('No requests yet'),
    },
    'the team for an editor': { path: '/app/settings/team', as: 'editor', shows: text('Owners see this page') },
    'a translator': { path: '/app/languages', as: 'translator', shows: row(/^Arabic/) },
  };

  it.each(Object.entries(states))('%s', async (name, { path, id, as, shows }) => {
    const admin = as ? await addSignedIn(dashboard.api, as) : account.admin;
    const page = await dashboard.open(path.replace(':id', id ? account[id] : ''), { admin });
    await shows(page).first().waitFor();
    await expectGoodLook(page, `${name.replaceAll(' ', '-')}-light`);
  });
});
