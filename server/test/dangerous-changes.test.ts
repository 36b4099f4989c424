import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../src/app.ts';
import { dangerousChanges } from '../src/http/dangerous-changes.ts';
import type { Route } from '../src/http/route.ts';
import { accountRows } from './account-rows.ts';
import { type Api, startApi } from './api.ts';
import { formatFor, kindFor } from './experience-path.ts';
import { addSignedIn, type Browser, forgetConfirmation, type TestAdmin } from './sign-in.ts';

/*
 * Every endpoint that changes something is either in the table of dangerous changes, or listed here. For a new
 * endpoint, decide what somebody could do with it who has found an open browser.
 */
const withoutPassword = new Set([
  'DELETE /v3/edit/:kind/:id',
  'DELETE /v3/edit/:kind/:id/steps/:part_id',
  'DELETE /v3/edit/:kind/:id/steps/:step_id/buttons/:button_id',
  'DELETE /v3/edit/alert_groups/:id',
  'DELETE /v3/edit/deliveries/:id',
  'DELETE /v3/edit/delivery/:id',
  'DELETE /v3/edit/event_names/:id',
  'DELETE /v3/edit/experiments/:id',
  'DELETE /v3/edit/goals/:id',
  'DELETE /v3/edit/imports/:id',
  'DELETE /v3/edit/languages/:id',
  'DELETE /v3/edit/launchers/:id/items/:part_id',
  'DELETE /v3/edit/limit_groups/:id',
  'DELETE /v3/edit/picks/:id',
  'DELETE /v3/edit/profiles',
  'DELETE /v3/edit/profiles/:id',
  'DELETE /v3/edit/properties/:id',
  'DELETE /v3/edit/reports/:id',
  'DELETE /v3/edit/responses/:id',
  'DELETE /v3/edit/move/steps/:id',
  'DELETE /v3/edit/sample_data',
  'DELETE /v3/edit/pictures/:id',
  'DELETE /v3/edit/segments/:id',
  'DELETE /v3/edit/tags/:id',
  'DELETE /v3/edit/themes/:id',
  'DELETE /v3/edit/webhooks',
  'DELETE /v3/edit/webhooks/:id',
  'DELETE /v3/session',
  'DELETE /v3/sessions',
  'DELETE /v3/sessions/:id',
  'PATCH /v3/edit/reports/:id',
  'POST /v3/edit/:kind/proposals',
  'POST /v3/edit/interruptions/people',
  'POST /v3/edit/reports',
  'POST /v3/session/home_visits',
  'POST /v3/edit/:kind/:id/proposals',
  'POST /v3/edit/:kind/:id/publish',
  'POST /v3/edit/proposals/:id/approve',
  'POST /v3/edit/proposals/:id/reject',
  'PATCH /v3/edit/:kind/:id',
  'PATCH /v3/edit/:kind/:id/steps/:part_id',
  'PATCH /v3/edit/:kind/:id/steps/:step_id/buttons/:button_id',
  'PATCH /v3/edit/:kind/:id/translations',
  'PATCH /v3/edit/alert_groups/:id',
  'PATCH /v3/edit/deliveries/:id',
  'PATCH /v3/edit/delivery/:id',
  'PATCH /v3/edit/event_names/:id',
  'PATCH /v3/edit/experiences/batch',
  'PATCH /v3/edit/experiences/order',
  'PATCH /v3/edit/experiments/:id',
  'PATCH /v3/edit/goals/:id',
  // This asks for the password itself when it starts an import that deletes: its kind is in the database.
  'PATCH /v3/edit/imports/:id',
  'PATCH /v3/edit/launchers/:id/items/:part_id',
  'PATCH /v3/edit/limit_groups/:id',
  'PATCH /v3/edit/profiles',
  'PATCH /v3/edit/profiles/:id',
  'PATCH /v3/edit/properties/:id',
  'PATCH /v3/edit/pictures/:id',
  'PATCH /v3/edit/proposals/:id',
  'PATCH /v3/edit/segments/:id',
  'PATCH /v3/edit/tags/:id',
  'PATCH /v3/edit/themes/:id',
  'PATCH /v3/edit/url_groups/:id',
  'PATCH /v3/edit/urls/:id',
  'PATCH /v3/session',
  'PATCH /v3/session/preferences',
  'POST /',
  'POST /v3/edit/backups',
  'POST /v3/analyze/identity_checks',
  'POST /v3/edit/:kind',
  'POST /v3/edit/:kind/:id/people',
  'POST /v3/edit/funnels/people',
  'POST /v3/edit/experiments',
  'POST /v3/edit/experiments/:id/end',
  'POST /v3/edit/experiments/:id/publish_winner',
  'POST /v3/edit/experiments/:id/start',
  'POST /v3/edit/experiments/:id/undo',
  'POST /v3/edit/goals',
  'POST /v3/edit/:kind/:id/copy',
  'POST /v3/edit/:kind/:id/duplicate',
  'POST /v3/edit/:kind/:id/file',
  'POST /v3/edit/:kind/:id/import',
  'POST /v3/edit/apply',
  'POST /v3/edit/files/upload',
  'POST /v3/edit/:kind/:id/resume',
  'POST /v3/edit/:kind/:id/revert',
  'POST /v3/edit/:kind/:id/steps',
  'POST /v3/edit/:kind/:id/steps/:step_id/buttons',
  'POST /v3/edit/alert_groups',
  'POST /v3/edit/deliveries',
  'POST /v3/edit/event_names',
  'POST /v3/edit/experiences/:id/editors',
  'POST /v3/edit/i18n',
  // Like the change of an import.
  'POST /v3/edit/imports',
  'POST /v3/edit/languages',
  'POST /v3/edit/launchers/:id/items',
  'POST /v3/edit/limit_groups',
  // A page that opens the pick can only read one step and propose an element for it, or the look of a theme.
  'POST /v3/edit/picks',
  'POST /v3/edit/picks/:id/sketch',
  'POST /v3/edit/pictures',
  'POST /v3/edit/pictures/:id/replace',
  'POST /v3/edit/properties',
  'POST /v3/edit/move/release',
  'POST /v3/edit/move/stop',
  'POST /v3/edit/sample_data',
  'POST /v3/edit/segments',
  'POST /v3/edit/survey_links',
  'POST /v3/edit/segments/:id/import',
  'POST /v3/edit/themes',
  'POST /v3/edit/themes/:id/duplicate',
  'POST /v3/edit/themes/:id/import',
  'POST /v3/edit/themes/:id/resume',
  'POST /v3/edit/themes/:id/revert',
  'POST /v3/edit/tags',
  'POST /v3/edit/tags/bulk',
  'PATCH /v3/edit/responses',
  'POST /v3/edit/url_groups',
  'POST /v3/edit/urls',
  'POST /v3/edit/urls/:id/move',
  'POST /v3/edit/urls/batch',
  'POST /v3/edit/webhooks/:id/items/:item_id/retry',
  'POST /v3/edit/webhooks/:id/ping',
  'POST /v3/session/confirm',
]);

/**
 * Endpoints where the parameters decide: for each parameter, a dangerous value (if there is one) and a harmless one.
 */
const byParameter: Record<string, Record<string, { dangerous?: unknown; harmless?: unknown }>> = {
  '/v3/edit/webhooks/:id': {
    url: { dangerous: 'https://example.com/elsewhere' },
    name: { harmless: 'Renamed' },
    topics: { harmless: ['survey.*'] },
    enabled: { harmless: true },
    experience_id: { harmless: null },
    experience_ids: { harmless: [] },
    id_header: { harmless: 'X-Guide-Id' },
    signature_header: { harmless: null },
    updated_at: { harmless: '2029-04-07T00:00:00.000Z' },
  },
  '/v3/edit/account': {
    name: { harmless: 'Renamed' },
    allow_scripts: { dangerous: true, harmless: false },
    allow_globals: { dangerous: true, harmless: false },
    allow_percent: { dangerous: true, harmless: false },
    anonymous_users: { harmless: true },
    anonymous_days: { harmless: 30 },
    delivery_ids_limit: { harmless: 5 },
    holdout_percent: { harmless: 5 },
    holdout_until: { harmless: '2029-04-07T00:00:00.000Z' },
    require_uid_hash: { dangerous: false, harmless: true },
    trust_pages: { dangerous: true, harmless: false },
    who_may_publish: { harmless: 'owners' },
    record_paths: { harmless: false },
    time_zone: { harmless: 'Europe/Berlin' },
    test_emails: { harmless: [] },
    updated_at: { harmless: '2029-04-07T00:00:00.000Z' },
  },
  '/v3/edit/companies/:id': { cascade: { dangerous: 'profiles' } },
  '/v3/edit/company': { cascade: { dangerous: 'profiles' }, id: {}, uid: { harmless: 'acme' } },
  '/v3/person': {
    name: { harmless: 'Renamed' },
    email: { dangerous: 'other@people.test' },
    password: { dangerous: 'a new password' },
    current_password: { harmless: 'the wrong password' },
  },
};

const operations = routes
  .filter(({ runOpen, path }) => !runOpen && !path.includes(':account_secret'))
  .flatMap((route) => route.methods.map((method) => ({ name: `${method} ${route.path}`, method, route })));
const isListed = (name: string): name is keyof typeof dangerousChanges => Object.hasOwn(dangerousChanges, name);
const changes = operations.filter(
  ({ method, route }) => method !== 'GET' && route.permission !== 'read' && route.permission !== 'ingest',
);

let api: Api;
let owner: TestAdmin;
beforeAll(async () => {
  api = await startApi({ inTest: false });
  owner = await addSignedIn(api, 'owner');
  await forgetConfirmation(api, owner.personId);
});
afterAll(() => api.stop());

const pathOf = ({ path }: Route, id = 'f'.repeat(24)) =>
  path.replace(/:(\w+)/g, (_, name: string) => ({ kind: kindFor(path), format: formatFor(path) })[name] ?? id);
const send = (browser: Browser, method: string, route: Route, params: object) =>
  method === 'DELETE'
    ? browser.send(method, pathOf(route), {
        query: new URLSearchParams(params as Record<string, string>).toString(),
      })
    : browser.send(method, pathOf(route), { body: params });

describe('the table of dangerous changes', () => {
  it('lists every endpoint that changes something, unless it needs no password', () => {
    const undecided = changes.filter(
      ({ name }) => !isListed(name) && !withoutPassword.has(name.replace(/^PUT /, 'PATCH ')),
    );
    expect(undecided.map(({ name }) => name)).toEqual([]);
    const names = new Set(changes.map(({ name }) => name));
    expect([...Object.keys(dangerousChanges), ...withoutPassword].filter((name) => !names.has(name))).toEqual([]);
    expect(Object.keys(dangerousChanges).filter((name) => withoutPassword.has(name))).toEqual([]);
  });

  it('lists every endpoint that shows a secret, except those whose links are valid for one pick or survey only', () => {
    const showing = operations.filter(({ route, name }) => route.showsSecret && !isListed(name));
    expect(showing.map(({ name }) => name).sort()).toEqual(['POST /v3/edit/picks', 'POST /v3/edit/survey_links']);
  });

  it('names every parameter of the endpoints where the parameters decide', () => {
    for (const { name, route } of operations)
      if (isListed(name) && !dangerousChanges[name]?.({}))
        expect([name, Object.keys(byParameter[route.path] ?? {}).toSorted()]).toEqual([
          name,
          Object.keys(route.parameters.properties ?? {}).toSorted(),
        ]);
  });
});

const dangerous = operations.flatMap(({ name, ...operation }) => {
  if (!isListed(name)) return [];
  return { ...operation, name, isAlways: dangerousChanges[name]?.({}) === true };
});
const valuesOf = ({ path }: Route, kind: 'dangerous' | 'harmless') =>
  Object.entries(byParameter[path] ?? {}).flatMap(([key, values]) =>
    values[kind] === undefined ? [] : [{ [key]: values[kind] }],
  );

it.each(dangerous)('$name needs the password, and does nothing without it', async ({ method, route, isAlways }) => {
  const sent: object[] = isAlways ? [route.example ?? {}] : valuesOf(route, 'dangerous');
  expect(sent).not.toEqual([]);
  for (const params of sent) {
    const before = await accountRows(api.app, api.account.account_id);
    const { status, body } = await send(owner.browser, method, route, params);
    expect([params, status, body.confirm]).toEqual([params, 403, 'password']);
    expect(await accountRows(api.app, api.account.account_id)).toEqual(before);
  }
});

it.each(dangerous.filter(({ isAlways }) => !isAlways))(
  '$name does not need the password for its other parameters',
  async ({ method, route }) => {
    for (const params of valuesOf(route, 'harmless')) {
      const { body } = await send(owner.browser, method, route, params);
      expect([params, body.confirm]).toEqual([params, undefined]);
    }
  },
);

it('needs no password with a secret', async () => {
  for (const { name, method, route } of dangerous.filter(({ route }) => !route.forSession)) {
    const sent = method === 'DELETE' ? {} : { body: { not: 'enough' } };
    expect([name, (await api.send(method, pathOf(route), sent)).body.confirm]).toEqual([name, undefined]);
  }
});

it('lets everything else pass without the password', async () => {
  for (const { name, method, route } of changes.filter(({ name }) => !isListed(name))) {
    // Some of these endpoints end sessions, so each gets a new one.
    const { browser, personId } = await addSignedIn(api, 'owner');
    await forgetConfirmation(api, personId);
    const { body } = await send(browser, method, route, method === 'DELETE' ? {} : (route.example ?? {}));
    expect([name, body.confirm]).toEqual([name, undefined]);
  }
});
