import { readFileSync, writeFileSync } from 'node:fs';
import { isId, webhookEventKinds } from '@usher/domain';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { png } from '../../domain/test/pictures.ts';
import { pageRoutes, routes } from '../src/app.ts';
import { type CreatedAccount, createAccount } from '../src/features/team/accounts/create-account.ts';
import { createAdmin } from '../src/features/team/admins/create-admin.ts';
import { createSecret } from '../src/features/team/secrets/create-secret.ts';
import { revokeSecret } from '../src/features/team/secrets/revoke-secret.ts';
import { takesIdempotencyKey } from '../src/http/created-record.ts';
import { anyKind, isForPersons, kindsOf } from '../src/http/openapi.ts';
import { operationId } from '../src/http/operation-id.ts';
import type { Method, Route } from '../src/http/route.ts';
import type { PageRoute } from '../src/pages/page-route.ts';
import { accountRows } from './account-rows.ts';
import { type Api, type ApiResponse, newEmail, startApi } from './api.ts';
import { makeDelivery, makeLiveTour, makeSeenProfile } from './delivery-path.ts';
import { engine } from './engine.ts';
import { formatFor, kindFor, makeExperienceFor, someCapture, someChange, someVersion } from './experience-path.ts';
import { makePick, makePicked, makeThemePick, ORIGIN, openPick } from './picking.ts';
import { pictureForm } from './picture-form.ts';
import { resolveReference } from './published-schema.ts';
import { haveSameShape, toExample } from './recorded-example.ts';
import { makeExperiment, makeStartedTour, makeTourWithGoal } from './results-path.ts';
import {
  makeAttempt,
  makeInteraction,
  makeItem,
  makePublicSurvey,
  makeResponse,
  makeSurvey,
  makeUnplacedStep,
} from './use-path.ts';
import { HOST, newUid, openDomain, visit } from './visiting.ts';

/*
 * The tests cover every registered endpoint. On PostgreSQL each endpoint gets only its example, because permissions and
 * lookups are the same on both engines. The following three tables contain what the routes themselves do not say:
 */
const onSqlite = engine === 'sqlite';

/** By path: creates what the path names, where no `POST` on the path up to `/:id` does. Returns the path parameters. */
const makers: Record<string, (as: CreatedAccount) => Promise<Record<string, string>>> = {
  '/v3/analyze/profiles/:id': async (as) => ({ id: await makeBy('/v3/observe/hooks/profiles', as, '') }),
  '/v3/edit/profiles/:id': async (as) => ({ id: await makeBy('/v3/observe/hooks/profiles', as, '') }),
  '/v3/edit/profiles/:id/forget': async (as) => ({ id: await makeBy('/v3/observe/hooks/profiles', as, '') }),
  '/v3/edit/profiles/:id/segments': async (as) => ({ id: await makeBy('/v3/observe/hooks/profiles', as, '') }),
  '/v3/edit/profiles/:id/export': async (as) => ({ id: await makeBy('/v3/observe/hooks/profiles', as, '') }),
  '/v3/edit/profiles/:id/timeline': async (as) => ({ id: await makeBy('/v3/observe/hooks/profiles', as, '') }),
  '/v3/edit/profiles/:id/queue': async (as) => ({ id: await makeBy('/v3/observe/hooks/profiles', as, '') }),
  '/v3/analyze/companies/:id': async (as) => ({ id: await makeBy('/v3/observe/hooks/companies', as, '') }),
  '/v3/edit/companies/:id': async (as) => ({ id: await makeBy('/v3/observe/hooks/companies', as, '') }),
  '/v3/edit/experiences/:id': async (as) => ({ id: await makeBy('/v3/edit/:kind', as, '') }),
  '/v3/edit/captures/:id': async (as) => ({ id: await someCapture(api, as) }),
  '/v3/edit/captures/:id.:format': async (as) => ({ id: await someCapture(api, as), format: 'svg' }),
  '/v3/edit/segments/:id/:kind': async (as) => ({ id: await makeBy('/v3/edit/segments', as, ''), kind: 'segments' }),
  '/v3/analyze/segments/:id/uses': async (as) => ({ id: await makeBy('/v3/edit/segments', as, '') }),
  '/v3/edit/themes/:id/versions/:version_id': async (as) => {
    const id = await makeBy('/v3/edit/themes', as, '');
    await api.patch(`/v3/edit/themes/${id}`, { published_at: '$now' }, { as });
    return { id, version_id: (await api.get(`/v3/edit/themes/${id}/versions`, { as })).body.versions[0].id };
  },
  '/v3/edit/themes/:id/resume': async (as) => {
    const id = await makeBy('/v3/edit/themes', as, '');
    for (const published_at of ['$now', null]) await api.patch(`/v3/edit/themes/${id}`, { published_at }, { as });
    return { id };
  },
  '/v3/edit/proposals/:id': async (as) => ({ id: await makeBy('/v3/edit/:kind/proposals', as, '') }),
  '/v3/edit/proposals/:id/publish_check': async (as) => ({ id: await makeBy('/v3/edit/:kind/proposals', as, '') }),
  '/v3/edit/admins/:id': async (as) => ({ id: await makeAdmin(as) }),
  '/v3/edit/event_names/:id': (as) => makeEventName(as),
  '/v3/analyze/event_names/:id': (as) => makeEventName(as),
  '/v3/analyze/event_names/:id/adoption': (as) => makeEventName(as),
  '/v3/analyze/event_names/:id/occurrences': (as) => makeEventName(as),
  '/v3/edit/picks/:id': async (as) => {
    await openDomain(api, as);
    return { id: (await makePick(api, as)).id };
  },
  '/v3/edit/picks/:id/sketch': async (as) => {
    await openDomain(api, as);
    return { id: (await makePicked(api, as)).id };
  },
  // The stream of a pick that has ended closes immediately.
  '/v3/edit/picks/:id/events': async (as) => {
    await openDomain(api, as);
    const { id } = await makePick(api, as);
    await api.send('DELETE', `/v3/edit/picks/${id}`, { as });
    return { id };
  },
  '/v3/edit/move/steps/:id': async (as) => ({ id: await makeUnplacedStep(api, as) }),
  '/v3/edit/deliveries/:id': async (as) => ({ id: (await makeDelivery(api, as)).id }),
  '/v3/edit/delivery/:id': async (as) => ({ id: (await makeDelivery(api, as)).id }),
  '/v3/edit/profiles/:id/deliveries': async (as) => ({ id: (await makeDelivery(api, as)).profile_id }),
  '/v3/analyze/interactions/:id': async (as) => ({ id: await makeInteraction(api, as) }),
  '/v3/edit/responses/:id': async (as) => ({ id: await makeResponse(api, as) }),
  '/v3/edit/webhooks/:id/items/:item_id': (as) => makeItem(api, as),
  '/v3/edit/webhooks/:id/items/:item_id/retry': (as) => makeItem(api, as),
  '/v3/edit/webhooks/:id/attempts/:attempt_id': (as) => makeAttempt(api, as),
  '/v3/edit/imports/:id/errors.:format': async (as) => ({
    id: await makeBy('/v3/edit/imports', as, 'make an import'),
    format: 'csv',
  }),
  '/v3/analyze/:kind/:id/stats': (as) => makeExperienceFor(api, '/v3/analyze/:kind/:id/stats', as),
  '/v3/analyze/:kind/:id/days.:format': (as) => makeExperienceFor(api, '/v3/analyze/:kind/:id/days.:format', as),
  '/v3/analyze/:kind/:id/steps/:step_id/texts': (as) => makeExperienceFor(api, '/v3/analyze/:kind/:id/steps', as),
  '/v3/analyze/:kind/:id/problems': (as) => makeExperienceFor(api, '/v3/analyze/:kind/:id/problems', as),
  '/v3/analyze/:kind/:id/splits': (as) => makeStartedTour(api, as),
  '/v3/analyze/:kind/:id/people': (as) => makeStartedTour(api, as),
  '/v3/analyze/:kind/:id/people.:format': async (as) => ({ ...(await makeStartedTour(api, as)), format: 'csv' }),
  '/v3/edit/:kind/:id/people': (as) => makeStartedTour(api, as),
  '/v3/analyze/goals/:id/uses': async (as) => ({ id: (await makeTourWithGoal(api, as)).goal_id }),
  '/v3/analyze/:kind/:id/goals': async (as) => ({ kind: 'tours', id: (await makeTourWithGoal(api, as)).id }),
  '/v3/analyze/:kind/:id/goals/people': async (as) => ({ kind: 'tours', id: (await makeTourWithGoal(api, as)).id }),
  '/v3/edit/experiments/:id/end': async (as) => ({ id: (await makeExperiment(api, as, 'start')).id }),
  '/v3/edit/experiments/:id/publish_winner': async (as) => ({ id: (await makeExperiment(api, as, 'start')).id }),
  '/v3/edit/experiments/:id/undo': async (as) => ({ id: (await makeExperiment(api, as, 'start', 'end')).id }),
  '/v3/analyze/experiments/:id/results': async (as) => ({ id: (await makeExperiment(api, as, 'start')).id }),
};

/**
 * By path or endpoint: another path. Its `POST`, with its own example, creates the record that the example of the first
 * one needs.
 */
const madeBefore: Record<string, string> = {
  'DELETE /v3/edit/sample_data': '/v3/edit/sample_data',
  '/v3/edit/picks': '/v3/edit/urls',
  '/v3/edit/:kind/:id/translations': '/v3/edit/languages',
  '/v3/analyze/profile': '/v3/observe/hooks/profiles',
  '/v3/edit/:kind/:id/explanations': '/v3/observe/hooks/profiles',
  '/v3/edit/profiles': '/v3/observe/hooks/profiles',
  '/v3/edit/profiles/forget': '/v3/observe/hooks/profiles',
  '/v3/analyze/company': '/v3/observe/hooks/companies',
  '/v3/edit/company': '/v3/observe/hooks/companies',
  '/v3/edit/funnels/people': '/v3/observe/hooks/events',
  '/v3/edit/interruptions/people': '/v3/observe/hooks/profiles',
  'DELETE /v3/edit/webhooks': '/v3/edit/webhooks',
};

/** By parameter, or by endpoint and parameter: the path whose `POST` creates what the parameter names, or a function. */
const makersOfParameters: Record<string, string | ((as: CreatedAccount) => Promise<string>)> = {
  admin_id: (as) => makeAdmin(as),
  url_group_id: '/v3/edit/url_groups',
  url_group_ids: '/v3/edit/url_groups',
  segment_ids: '/v3/edit/segments',
  split_segment_ids: '/v3/edit/segments',
  excluded_segment_ids: '/v3/edit/segments',
  excluded_segment_id: '/v3/edit/segments',
  tag_ids: '/v3/edit/tags',
  theme_id: '/v3/edit/themes',
  replacement_id: '/v3/edit/themes',
  campaign_id: '/v3/edit/:kind',
  campaign_ids: (as) => makeLiveTour(api, as),
  updates: (as) => makeLiveTour(api, as),
  action_campaign_id: '/v3/edit/:kind',
  change_id: (as) => someChange(api, as),
  version_id: (as) => someVersion(api, as),
  segment_id: '/v3/edit/segments',
  company_id: '/v3/observe/hooks/companies',
  model_id: (as) => makeLiveTour(api, as),
  survey_id: (as) => makePublicSurvey(api, as),
  profile_id: (as) => makeSeenProfile(api, as),
  experience_id: (as) => makeLiveTour(api, as),
  event_name_id: async (as) => (await makeEventName(as)).id,
  group_id: (as) => makeLiveTour(api, as),
  delivery_id: async (as) => (await makeDelivery(api, as)).id,
  step_id: async (as) => (await makeExperienceFor(api, '', as)).step_id ?? '',
  button_id: async (as) => (await makeExperienceFor(api, '', as)).button_id ?? '',
  experience_ids: (as) => makeLiveTour(api, as),
  removed_experience_ids: (as) => makeLiveTour(api, as),
  item_id: async (as) => (await makeItem(api, as)).item_id,
  part_id: async (as) => (await makeExperienceFor(api, '', as)).step_id ?? '',
  goal_id: async (as) => (await makeTourWithGoal(api, as)).id_in_tour,
  goal_ids: '/v3/edit/goals',
  guardrail_goal_ids: '/v3/edit/goals',
  variants: (as) => makeLiveTour(api, as),
  variant_id: async (as) => (await makeExperiment(api, as)).variants[1].id,
  'DELETE /v3/edit/webhooks id': '/v3/edit/webhooks',
  'GET /v3/analyze/interactions id': (as) => makeLiveTour(api, as),
  'POST /v3/analyze/interactions id': (as) => makeLiveTour(api, as),
  'GET /v3/analyze/responses id': (as) => makeSurvey(api, as),
  'POST /v3/analyze/responses id': (as) => makeSurvey(api, as),
  'GET /v3/analyze/responses.:format id': (as) => makeSurvey(api, as),
  'GET /v3/analyze/responses/tags id': (as) => makeSurvey(api, as),
  'PATCH /v3/edit/responses ids': (as) => makeResponse(api, as),
  'PUT /v3/edit/responses ids': (as) => makeResponse(api, as),
  'GET /v3/edit/:kind/:id/versions/:version_id/summary until': (as) => someVersion(api, as),
  ...Object.fromEntries(
    ['', ':account_secret/'].flatMap((secret) => [
      [`POST /v3/observe/hooks/${secret}profiles id`, '/v3/observe/hooks/profiles'],
      [`POST /v3/observe/hooks/${secret}companies id`, '/v3/observe/hooks/companies'],
      [`POST /v3/observe/hooks/${secret}events id`, '/v3/observe/hooks/profiles'],
      [`POST /v3/observe/hooks/${secret}event id`, '/v3/observe/hooks/profiles'],
    ]),
  ),
  'GET /v3/analyze/profile id': '/v3/observe/hooks/profiles',
  'POST /v3/analyze/profile id': '/v3/observe/hooks/profiles',
  'PUT /v3/edit/profiles id': '/v3/observe/hooks/profiles',
  'PATCH /v3/edit/profiles id': '/v3/observe/hooks/profiles',
  'DELETE /v3/edit/profiles id': '/v3/observe/hooks/profiles',
  'DELETE /v3/edit/profiles/forget id': '/v3/observe/hooks/profiles',
  'GET /v3/analyze/company id': '/v3/observe/hooks/companies',
  'DELETE /v3/edit/company id': '/v3/observe/hooks/companies',
  'POST /v3/edit/urls/batch ids': '/v3/edit/urls',
  tag_id: '/v3/edit/tags',
  tag_import_id: '/v3/edit/imports',
  picture_id: '/v3/edit/pictures',
  before_id: (as) => makeLiveTour(api, as),
  after_id: (as) => makeLiveTour(api, as),
  ...Object.fromEntries(
    ['PUT', 'PATCH'].flatMap((method) => [
      [`${method} /v3/edit/experiences/batch ids`, (as: CreatedAccount) => makeLiveTour(api, as)],
      [`${method} /v3/edit/experiences/order id`, (as: CreatedAccount) => makeLiveTour(api, as)],
    ]),
  ),
};

/** By endpoint: parameters that depend on what the path names. */
const parametersForPath: Record<string, (as: CreatedAccount, inPath: Record<string, string>) => Promise<object>> = {
  'POST /v3/edit/:kind/:id/publish': async (as, { kind, id }) => {
    const { hash } = (await api.get(`/v3/edit/${kind}/${id}/diff`, { as })).body.diff;
    return { hash };
  },
  'POST /v3/edit/experiments/:id/publish_winner': async (as, { id }) => {
    const { experiment } = (await api.get(`/v3/edit/experiments/${id}`, { as })).body;
    return { variant_id: experiment.variants[1].id };
  },
};

/** By endpoint and parameter: what else to send with the parameter. */
const parametersBeside: Record<string, object> = {
  'GET /v3/analyze/:kind/:id/splits segment_ids': { by: 'segment' },
};

/** By endpoint and parameter: IDs that need no record. They are a place in a list, or find answers to a step that may be gone. */
const withoutRecord = new Set([
  'GET /v3/analyze/:kind/:id/splits after',
  'GET /v3/analyze/responses step_id',
  'POST /v3/analyze/responses step_id',
  'GET /v3/analyze/responses.:format step_id',
]);

/** Reads that write to one table: they are recorded in the audit log, or keep what they counted. */
const recordedReads: Record<string, string> = {
  '/v3/edit/profiles/:id/export': 'audit_entries',
  '/v3/analyze/:kind/:id/goals': 'goal_count_runs',
};

const unknownId = 'f'.repeat(24);
let count = 0;

interface Operation {
  method: Method;
  path: string;
  route: Route;
}

/** The part of an operation that is needed to create what its parameters name. */
interface Named {
  method: Method;
  path: string;
  route: Pick<Route, 'example'>;
}

interface ParameterSchema {
  format?: string;
  type?: string;
  default?: unknown;
  anyOf?: ParameterSchema[];
  items?: ParameterSchema;
}

const inDocument = (path: string) => path.replace(/:(\w+)/g, '{$1}');

const allOperations: Operation[] = routes.flatMap((route) =>
  route.methods.map((method) => ({ method, path: route.path, route })),
);
/** The operations that take a secret. The others are for persons who sign in, or have signed in. */
const operations = allOperations.filter(({ route }) => !isForPersons(route));
const forPersons = allOperations.filter((operation) => !operations.includes(operation));
/** Whether the path of the route contains an ID. */
function hasId({ route }: { route: Route }): boolean {
  return route.pathParameters.includes('id');
}
const withPath = operations.filter(hasId);
const withReferences = operations.flatMap((operation) =>
  Object.entries(parametersOf(operation.route))
    .filter(([name, schema]) => isReference(schema) && !operation.route.pathParameters.includes(name))
    .filter(([name]) => !withoutRecord.has(`${operation.method} ${operation.path} ${name}`))
    .map(([name, schema]) => ({ ...operation, name, list: schema.type === 'array' })),
);

let api: Api;
beforeAll(async () => {
  // Each endpoint is called with wrong secrets, from one address.
  api = await startApi({ inTest: false, env: { USHER_LIMIT_WRONG_SECRETS: '0' } });
});
afterAll(() => api.stop());

function parametersOf(route: Pick<Route, 'parameters'>): Record<string, ParameterSchema> {
  return (route.parameters.properties ?? {}) as Record<string, ParameterSchema>;
}

function isReference({ format, anyOf = [], items }: ParameterSchema): boolean {
  return format === 'id' || [...anyOf, ...(items ? [items] : [])].some(isReference);
}

function newAccount(): Promise<CreatedAccount> {
  return createAccount(api.app, { name: 'Table', email: newEmail() });
}

async function makeAdmin({ account_id: accountId }: CreatedAccount): Promise<string> {
  return (await createAdmin(api.app, { accountId, email: `kim${++count}@table.test`, role: 'editor' })).user_id;
}

async function addViewer({ account_id }: CreatedAccount): Promise<{ account_secret: string }> {
  const email = newEmail();
  await createAdmin(api.app, { accountId: account_id, name: 'Kim', email, role: 'viewer' });
  return createSecret(api.app, { accountId: account_id, email, name: 'only to look' });
}

/** Words for path parameters that are not IDs. */
function wordsOf(path: string): Record<string, string> {
  return { kind: kindFor(path), format: formatFor(path) };
}

/** A picture that no account has yet, the file of a tour, or an empty translation file. */
function uploadedBy(as: { account_secret: string; account_id?: string } | null, path: string): FormData {
  if (path.endsWith('/pictures')) return pictureForm(png(++count, 1));
  if (path.endsWith('/files/upload') || path.endsWith('/file')) {
    const form = new FormData();
    form.append('file', new Blob(['kind: tour\nname: Tour\n']), 'tour.yaml');
    return form;
  }
  const file = {
    id: as?.account_id ?? unknownId,
    language: { code: 'de', options: ['default', 'de'] },
    experiences: [],
  };
  const form = new FormData();
  form.append('file', new Blob([JSON.stringify(file)]), 'de.json');
  return form;
}

/** Sends an operation with its example and additional parameters. */
function call(
  { method, path, route }: Operation,
  as: { account_secret: string } | null,
  inPath: Record<string, string> = {},
  params: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  const secret = encodeURIComponent(as?.account_secret || 'none');
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    name === 'account_secret' ? secret : (inPath[name] ?? wordsOf(path)[name] ?? unknownId),
  );
  const parameters = { ...route.example, ...params };
  // An import can be created before its file.
  if (route.takesFiles && !route.example) return api.send(method, filled, { as, body: uploadedBy(as, path) });
  if (method !== 'GET' && method !== 'DELETE') return api.send(method, filled, { as, body: parameters, headers });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    query.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  return api.send(method, filled, { as, query: query.toString() });
}

/** Returns an example with new values where they must be unique. */
function renamed(example: Record<string, unknown>): Record<string, unknown> {
  count += 1;
  const others: Record<string, string> = { host: `h${count}.example.com`, name: `Name ${count}`, uid: `u${count}` };
  return Object.fromEntries(Object.entries(others).filter(([name]) => name in example));
}

/** Creates an object with `POST` on a path. */
async function makeBy(path: string, as: CreatedAccount, hint: string): Promise<string> {
  const creating = operations.find((operation) => operation.method === 'POST' && operation.path === path);
  if (!creating) throw new Error(`No POST ${path} is registered: ${hint} in server/test/endpoints.test.ts`);
  const params = { ...renamed(creating.route.example ?? {}), ...(await ownReferences(creating, as)) };
  const { status, body } = await call(creating, as, {}, params);
  expect([`POST ${path}`, status]).toEqual([`POST ${path}`, creating.route.status]);
  const [made] = Object.values(body) as { id: string }[];
  return made?.id ?? '';
}

/** Creates what the path of an operation names, and returns the parameters of the path. */
async function makeForPath({ path }: Operation, as: CreatedAccount): Promise<Record<string, string>> {
  const maker = makers[path];
  if (maker) return maker(as);
  if (/^\/v3\/edit\/(:kind|launchers)\/:id/.test(path)) return makeExperienceFor(api, path, as);
  const hint = `tell how to make what ${path} names, in \`makers\``;
  if (path.match(/:\w+/g)?.join() !== ':id') throw new Error(`${path} has more to name than \`:id\`: ${hint}`);
  return { id: await makeBy(path.slice(0, path.indexOf('/:id')), as, hint) };
}

/** Creates what a parameter names. */
function makeForParameter({ method, path }: Named, name: string, as: CreatedAccount): Promise<string> {
  const key = `${method} ${path} ${name}`;
  const hint = `name the path whose POST makes what \`${name}\` means, as '${key}' or '${name}' in \`makersOfParameters\``;
  const maker = makersOfParameters[key] ?? makersOfParameters[name] ?? `(for \`${name}\`)`;
  return typeof maker === 'string' ? makeBy(maker, as, hint) : maker(as);
}

/** For every ID in the example of an operation, one that this account has. */
async function ownReferences(operation: Named, as: CreatedAccount): Promise<Record<string, unknown>> {
  const own: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(operation.route.example ?? {})) {
    if (!JSON.stringify(value).match(/"[0-9a-f]{24}"/)) continue;
    const id = await makeForParameter(operation, name, as);
    own[name] = Array.isArray(value) && typeof value[0] === 'string' ? [id] : replaceIds(value, id);
  }
  return own;
}

function replaceIds(value: unknown, id: string): unknown {
  return JSON.parse(JSON.stringify(value).replace(/"[0-9a-f]{24}"/g, `"${id}"`));
}

/** Creates what the example of an operation needs. */
async function makeForExample({ method, path }: Operation, as: CreatedAccount): Promise<void> {
  const before = madeBefore[`${method} ${path}`] ?? madeBefore[path];
  const making = operations.find((operation) => operation.method === 'POST' && operation.path === before);
  if (making) expect((await call(making, as)).status).toBe(making.route.status);
}

/** Returns everything of a response that a client can see. */
function wholeOf({ status, headers, text }: ApiResponse): object {
  const varying = new Set(['date', 'content-length', 'x-request-id', 'x-ratelimit-remaining']);
  return { status, text, headers: [...headers].filter(([name]) => !varying.has(name)) };
}

/** Creates an account with everything that the example of an operation needs. */
async function prepare(operation: Operation) {
  const as = await newAccount();
  const inPath = hasId(operation) ? await makeForPath(operation, as) : {};
  const forPath = await parametersForPath[`${operation.method} ${operation.path}`]?.(as, inPath);
  const own = { ...(await ownReferences(operation, as)), ...forPath };
  await makeForExample(operation, as);
  return { as, inPath, own };
}

describe.each(operations)('$method $path', (operation) => {
  /** One account for several tests. All tests but the last leave its rows unchanged, which they check. */
  let prepared: ReturnType<typeof prepare> | undefined;
  const prepareOnce = () => {
    prepared ??= prepare(operation);
    return prepared;
  };

  it.runIf(onSqlite)('returns 403 without a secret', async () => {
    expect((await call(operation, null)).status).toBe(403);
    expect((await call(operation, { account_secret: '' })).status).toBe(403);
  });

  it.runIf(onSqlite)('returns 403 for a wrong secret', async () => {
    expect((await call(operation, { account_secret: `${api.account.account_secret}x` })).status).toBe(403);
    expect((await call(operation, { account_secret: api.account.account_token })).status).toBe(403);
  });

  it.runIf(onSqlite)('returns the same for a revoked secret as for a wrong one', async () => {
    const secret = await createSecret(api.app, { accountId: api.account.account_id, name: 'to be revoked' });
    expect((await call(operation, secret)).status).not.toBe(403);
    await revokeSecret(api.app, secret.id);
    const response = await call(operation, secret);
    expect(response.status).toBe(403);
    expect(wholeOf(response)).toEqual(wholeOf(await call(operation, { account_secret: 'wrong' })));
  });

  it.runIf(onSqlite)('changes nothing when it rejects a request', async () => {
    const { as, inPath } = await prepareOnce();
    const before = await accountRows(api.app, as.account_id);
    await call(operation, null, inPath);
    expect(await accountRows(api.app, as.account_id)).toEqual(before);
  });

  it.runIf(onSqlite)('lets viewers read and returns 403 to them where it writes', async () => {
    const { as: owner, inPath, own } = await prepareOnce();
    const viewer = await addViewer(owner);
    const before = await accountRows(api.app, owner.account_id);
    const { status } = await call(operation, viewer, inPath, own);
    expect(status).toBe(
      operation.route.permission === 'read' || operation.route.permission === null ? operation.route.status : 403,
    );
    const after = await accountRows(api.app, owner.account_id);
    const table = recordedReads[operation.path];
    if (table) after[table] = before[table] ?? [];
    expect(after).toEqual(before);
  });

  it('accepts its published example', async () => {
    const { as, inPath, own } = await prepareOnce();
    const response = await call(operation, as, inPath, own);
    expect([response.status, response.body?.messages]).toEqual([operation.route.status, undefined]);
    recordResponse(operation, response);
  });
});

/* What the examples of the API reference are: the responses to the examples of the endpoints, as the tests above got them. */
const recorded = new Map<string, unknown>();

function recordResponse({ method, route }: Operation, { body }: ApiResponse): void {
  // PUT does the same as PATCH, and POST as GET where an endpoint has both.
  if (body === undefined || operationId(route, method, anyKind).includes('By')) return;
  const { words } = kindsOf(route, true).find(({ words }) => words.path === kindFor(route.path)) ?? { words: anyKind };
  recorded.set(operationId(route, method, words), toExample(body));
}

it.runIf(onSqlite)('publishes responses of a real server as examples', () => {
  const file = new URL('../../docs/reference/responses.json', import.meta.url);
  const known: Record<string, unknown> = JSON.parse(readFileSync(file, 'utf8'));
  const fresh = Object.fromEntries([...recorded].sort(([a], [b]) => (a < b ? -1 : 1)));
  const isKept = (id: string) => id in known && haveSameShape(known[id], fresh[id]);
  if (process.env.USHER_UPDATE_SCHEMA) {
    const written = Object.entries(fresh).map(([id, response]) => [id, isKept(id) ? known[id] : response]);
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(written), null, 1)}\n`);
    return;
  }
  const advice = 'run `npm run schema` and commit the result';
  expect(Object.keys(known), advice).toEqual(Object.keys(fresh));
  expect(
    Object.keys(fresh).filter((id) => !isKept(id)),
    advice,
  ).toEqual([]);
});

const creating = operations.filter(
  ({ method, route }) => method === 'POST' && (route.status === 201 || route.isIngestion) && !route.batch,
);
const withKey = creating.filter(({ route }) => takesIdempotencyKey(route, routes));

it('takes an `Idempotency-Key` wherever a POST creates a record, except uploads', () => {
  const others = creating.filter((operation) => !withKey.includes(operation)).map(({ path }) => path);
  expect(others.sort()).toEqual([
    // It shows a secret of the account, which is no record.
    '/v3/edit/account/uid_secret',
    // A debug token is not stored.
    '/v3/edit/debug_tokens',
    '/v3/edit/files/upload',
    '/v3/edit/imports',
    '/v3/edit/pictures',
    // It creates many records. A second request is a conflict.
    '/v3/edit/sample_data',
  ]);
});

describe.each(withKey)('$method $path with an `Idempotency-Key`', (operation) => {
  const { path } = operation;
  it('creates one record, and shows it to a repeat without what is shown once', async () => {
    const { as, inPath, own } = await prepare(operation);
    const send = () => call(operation, as, inPath, own, { 'Idempotency-Key': 'once' });
    const created = await send();
    expect([created.status, created.body.messages]).toEqual([operation.route.status, undefined]);
    expect(created.headers.has('Idempotency-Replayed')).toBe(false);
    // People are saved by an import, which runs in the background.
    if (path.endsWith('/people'))
      await expect
        .poll(async () => (await api.get('/v3/edit/imports', { as })).body.imports[0].stats.last_import_state)
        .toBe('completed');
    const before = await accountRows(api.app, as.account_id);
    const repeated = await send();
    expect([repeated.status, repeated.headers.get('Idempotency-Replayed')]).toEqual([created.status, 'true']);
    expect(await accountRows(api.app, as.account_id)).toEqual(before);
    const [[name = '', record = {}] = []] = Object.entries<Record<string, unknown>>(created.body);
    const shown = repeated.body[name];
    expect([name, Object.keys(shown).sort()]).toEqual([name, Object.keys(record).sort()]);
    expect(shown.id).toBe(record.id);
    const secrets = Object.entries(record).filter(([key]) => ['secret', 'code', 'address', 'url'].includes(key));
    if (operation.route.showsSecret) {
      expect(secrets.length).toBeGreaterThan(0);
      for (const [key, value] of secrets) expect([typeof value, shown[key]]).toEqual(['string', null]);
    }
  });
});

describe.runIf(onSqlite).each(withPath)('$method $path by its path', (operation) => {
  it('returns 404 for an unknown ID', async () => {
    expect((await call(operation, api.account)).status).toBe(404);
  });

  it('returns 404 for text that cannot be an ID', async () => {
    for (const id of [
      'x',
      'F'.repeat(24),
      `${unknownId}0`,
      '%00',
      '%F0%9F%98%80',
      '__proto__',
      '..%2F..',
      'x'.repeat(600),
    ]) {
      const inPath = Object.fromEntries(operation.route.pathParameters.map((name) => [name, id]));
      expect([id, (await call(operation, api.account, inPath)).status]).toEqual([id, 404]);
    }
  });

  it('returns the same for an ID of another account as for an unknown ID', async () => {
    const other = await newAccount();
    const inPath = await makeForPath(operation, other);
    const unknown = Object.fromEntries(
      Object.entries(inPath).map(([name, value]) => [name, isId(value) ? unknownId : value]),
    );
    const before = await accountRows(api.app, other.account_id);
    const response = await call(operation, api.account, inPath);
    expect(response.status).toBe(404);
    expect(wholeOf(response)).toEqual(wholeOf(await call(operation, api.account, unknown)));
    expect(await accountRows(api.app, other.account_id)).toEqual(before);
  });
});

describe.runIf(onSqlite).each(withReferences)('$method $path with $name', (operation) => {
  it('rejects an ID of another account like an unknown ID', async () => {
    const [as, other] = [await newAccount(), await newAccount()];
    const inPath = hasId(operation) ? await makeForPath(operation, as) : {};
    const id = await makeForParameter(operation, operation.name, other);
    const own = {
      ...(await ownReferences(operation, as)),
      ...parametersBeside[`${operation.method} ${operation.path} ${operation.name}`],
    };
    const before = [await accountRows(api.app, as.account_id), await accountRows(api.app, other.account_id)];
    const send = (id: string) => call(operation, as, inPath, { ...own, [operation.name]: operation.list ? [id] : id });
    const response = await send(id);
    expect(response.status).toBe(404);
    expect(wholeOf(response)).toEqual(wholeOf(await send(unknownId)));
    expect([await accountRows(api.app, as.account_id), await accountRows(api.app, other.account_id)]).toEqual(before);
  });
});

/** A test of its own covers the stream. */
const postedRoutes = pageRoutes.filter(({ methods }) => methods.includes('POST'));

describe.each(postedRoutes)('POST $path by a page', (route) => {
  const { path, needs, byOrigin, example = {} } = route;
  const references = Object.entries(parametersOf(route)).flatMap(([name, schema]) => (isReference(schema) ? name : []));

  /** The token that lets pages of an account call the endpoint. */
  async function tokenOf(as: CreatedAccount): Promise<object> {
    await openDomain(api, as);
    const purpose = path.endsWith('/content') ? 'try' : 'pick';
    if (path.endsWith('/looks')) return { pick_token: await openPick(api, as, await makeThemePick(api, as)) };
    if (path === '/v3/observe/picks') return { account_token: as.account_token, key: (await makePick(api, as)).key };
    if (needs === 'pick') return { pick_token: await openPick(api, as, await makePick(api, as, { purpose })) };
    if (needs === 'account') return { account_token: as.account_token };
    const { token } = (await visit(api, { uid: newUid() }, { as })).body.visit;
    return { visit_token: token, ...(needs === 'debug' && { debug_token: await debugTokenOf(as) }) };
  }

  const debugTokenOf = async (as: CreatedAccount): Promise<string> =>
    (await api.post('/v3/edit/debug_tokens', {}, { as })).body.debug_token.token;

  const send = (params: object, sent: { headers?: Record<string, string>; as?: CreatedAccount | null } = {}) =>
    api.post(path, { ...example, ...params }, { as: null, ...(byOrigin && { headers: { Origin: ORIGIN } }), ...sent });
  const own = (as: CreatedAccount) => ownReferences({ method: 'POST', path, route }, as);

  it.runIf(onSqlite)('returns 403 without a token, with a wrong token, and with only a secret', async () => {
    const as = await newAccount();
    await tokenOf(as);
    const before = await accountRows(api.app, as.account_id);
    const name = {
      account: 'account_token',
      visit: 'visit_token',
      debug: 'visit_token',
      pick: 'pick_token',
      ticket: '',
    }[needs];
    for (const token of [undefined, null, '', 'wrong', 7, {}, as.account_secret, unknownId])
      expect([token, (await send({ [name]: token })).status]).toEqual([token, 403]);
    expect((await send({ [name]: undefined }, { as })).status).toBe(403);
    expect(await accountRows(api.app, as.account_id)).toEqual(before);
  });

  it('accepts its published example', async () => {
    const as = await newAccount();
    const response = await send({ ...(await tokenOf(as)), ...(await own(as)) });
    expect([response.status, response.body?.messages]).toEqual([route.status, undefined]);
  });

  it.runIf(onSqlite)('lets pages of every origin read its responses and errors', async () => {
    const as = await newAccount();
    const headers = { Origin: `https://${HOST}` };
    const token = await tokenOf(as);
    const preflight = await api.send('OPTIONS', path, { as: null, headers });
    const responses = [
      preflight,
      await send({ ...token, ...(await own(as)) }, { headers }),
      await send({}, { headers }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([204, route.status, 403]);
    for (const response of responses) expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-methods')).toBe('POST');
  });

  it.runIf(onSqlite && (needs === 'visit' || needs === 'debug'))(
    'returns 403 and changes nothing after the profile was cleared or forgotten',
    async () => {
      const as = await newAccount();
      await openDomain(api, as);
      for (const path of ['', '/forget']) {
        const { profile, visit: made } = (await visit(api, { uid: newUid() }, { as })).body;
        const debug = needs === 'debug' && { debug_token: await debugTokenOf(as) };
        const params = { visit_token: made.token, ...debug, ...(await own(as)) };
        expect((await send(params)).status).toBe(route.status);
        expect((await api.send('DELETE', `/v3/edit/profiles/${profile.id}${path}`, { as })).status).toBe(200);
        const before = await accountRows(api.app, as.account_id);
        expect((await send(params)).status).toBe(403);
        expect(await accountRows(api.app, as.account_id)).toEqual(before);
      }
    },
  );

  it.runIf(onSqlite && references.length > 0)('finds nothing of another account', async () => {
    const [as, other] = [await newAccount(), await newAccount()];
    const token = await tokenOf(as);
    for (const name of references) {
      const id = await makeForParameter({ method: 'POST', path, route }, name, other);
      const params = { ...token, ...(await own(as)) };
      const before = await accountRows(api.app, other.account_id);
      const [response, unknown] = [await send({ ...params, [name]: id }), await send({ ...params, [name]: unknownId })];
      expect([name, response.status]).toEqual([name, unknown.status]);
      if (response.status >= 400) expect(wholeOf(response)).toEqual(wholeOf(unknown));
      expect(await accountRows(api.app, other.account_id)).toEqual(before);
    }
  });
});

describe.runIf(onSqlite)('POST /v3/edit/urls/batch', () => {
  it('changes nothing when one of the IDs belongs to another account', async () => {
    const [as, other] = [await newAccount(), await newAccount()];
    const [own, strange] = [await makeBy('/v3/edit/urls', as, ''), await makeBy('/v3/edit/urls', other, '')];
    const before = [await accountRows(api.app, as.account_id), await accountRows(api.app, other.account_id)];
    const send = (ids: string[]) => api.post('/v3/edit/urls/batch', { ids, enabled: 'off' }, { as });
    for (const ids of [
      [own, strange],
      [strange, own],
    ]) {
      const response = await send(ids);
      expect(response.status).toBe(404);
      expect(wholeOf(response)).toEqual(wholeOf(await send([own, unknownId])));
    }
    expect([await accountRows(api.app, as.account_id), await accountRows(api.app, other.account_id)]).toEqual(before);
    expect((await send([own])).body.urls).toEqual([expect.objectContaining({ id: own, enabled: 'off' })]);
  });
});

describe.runIf(onSqlite)('/openapi.json', () => {
  interface Described {
    operationId: string;
    summary: string;
    security?: object[];
    parameters: { name: string; in: string; required: boolean; schema: object }[];
    requestBody?: { required: boolean; content: Record<string, { schema: object; example?: object }> };
    responses: Record<string, { description: string; content: Record<string, { schema: object; example?: unknown }> }>;
  }
  interface Document {
    openapi: string;
    info: { title: string; version: string };
    servers: { url: string }[];
    security: Record<string, string[]>[];
    components: {
      securitySchemes: Record<string, { type: string; in: string; name: string }>;
      schemas: Record<string, object>;
    };
    paths: Record<string, Record<string, Described>>;
    webhooks: Record<string, { post: { requestBody: { content: Record<string, { schema: object }> } } }>;
  }

  // A test below checks the schemas themselves, and optimizing the generated code takes longer than it saves.
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    validateSchema: false,
    inlineRefs: false,
    code: { optimize: false },
  });
  let document: Document;
  let forDashboard: Document;
  let described: { from: Document; path: string; method: string; operation: Described }[];
  beforeAll(async () => {
    document = (await api.get('/openapi.json', { as: null })).body;
    forDashboard = (await api.get('/openapi-dashboard.json', { as: null })).body;
    described = [document, forDashboard].flatMap((one) =>
      Object.entries(one.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => ({
          from: one,
          path,
          method,
          operation: withoutReferences(one, operation),
        })),
      ),
    );
  });

  /** Returns an operation with its references resolved. */
  function withoutReferences(document: Document, { parameters, responses, ...operation }: Described): Described {
    const all = Object.entries(responses).map(([status, one]) => [status, resolveReference(document, one)]);
    const own = parameters.map((one) => resolveReference(document, one));
    return { ...operation, parameters: own, responses: Object.fromEntries(all) };
  }

  it('stays small enough to be read in one piece', () => {
    expect(JSON.stringify(document).length).toBeLessThan(1_300_000);
  });

  it('resolves each of its references and uses each of its shared schemas', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to as string);
    expect(references.length).toBeGreaterThan(100);
    for (const $ref of new Set(references)) expect(resolveReference(document, { $ref })).toBeTypeOf('object');
    const unused = Object.keys(document.components.schemas).filter(
      (name) => !references.includes(`#/components/schemas/${name}`),
    );
    expect(unused).toEqual([]);
    const ofDashboard = JSON.stringify(forDashboard).matchAll(/"\$ref":"([^"]+)"/g);
    for (const [, $ref = ''] of ofDashboard) expect(resolveReference(forDashboard, { $ref })).toBeTypeOf('object');
  });

  it('names the errors that an endpoint can return', () => {
    const errorsOf = (method: string, path: string) =>
      Object.keys(document.paths[path]?.[method]?.responses ?? {}).filter((status) => status >= '400');
    expect(errorsOf('get', '/')).toEqual(['401', '403', '409', '429', '503']);
    expect(errorsOf('get', '/v3/edit/urls/{id}')).toEqual(['401', '403', '404', '409', '429', '503']);
    const writing = ['401', '403', '404', '409', '413', '415', '422', '429', '503'];
    expect(errorsOf('post', '/v3/edit/urls')).toEqual([...writing, '507']);
    expect(errorsOf('delete', '/v3/edit/segments/{id}')).toEqual(['401', '403', '404', '409', '429', '503']);
    expect(Object.keys(forDashboard.paths['/v3/session']?.post?.responses ?? {})).toEqual([
      '200',
      '403',
      '413',
      '415',
      '422',
      '429',
      '503',
    ]);
  });

  it('lists exactly the registered endpoints', () => {
    const listed = described.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
    const registered = allOperations.flatMap(({ path, method, route: { pathValues } }) =>
      (pathValues.kind ?? ['']).map((kind) => `${method} ${inDocument(path.replace(':kind', kind || ':kind'))}`),
    );
    expect(listed.sort()).toEqual(
      [...registered, ...pageRoutes.map(({ methods, path }) => `${methods} ${path}`)].sort(),
    );
  });

  it('gives every operation an ID of its own', () => {
    const ids = described.map(({ operation }) => operation.operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]*$/.test(id))).toEqual([]);
    expect(ids).toEqual(expect.arrayContaining(['createTour', 'listProfiles', 'createDelivery', 'updateLauncher']));
  });

  it('has the structure of OpenAPI 3.1', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info).toMatchObject({
      title: expect.stringMatching(/./),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
    expect(document.servers.map(({ url }) => URL.canParse(url))).toEqual([true]);
    for (const { security, components } of [document, forDashboard])
      expect(security.flatMap(Object.keys)).toEqual(Object.keys(components.securitySchemes));
    for (const { path, operation } of described) {
      expect(path).toMatch(/^\//);
      expect(operation.summary).toMatch(/./);
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
      expect(inPath.every(({ required }) => required)).toBe(true);
      const names = operation.parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      expect(new Set(names).size).toBe(names.length);
      expect(Object.keys(operation.responses).join(' ')).toMatch(/^(2\d\d )+(4\d\d )+503( 507)?$/);
      for (const { description } of Object.values(operation.responses)) expect(description).toMatch(/./);
    }
  });

  it('requires a secret or a cookie everywhere except on endpoints for pages and for signing in', () => {
    const special = described.filter(({ operation }) => operation.security !== undefined);
    const listed = special.map(({ path, method, operation }) => [`${method} ${path}`, operation.security]);
    const ofPages = pageRoutes.map(({ methods, path }) => [`${methods.join().toLowerCase()} ${path}`, []]);
    const ofPeople = forPersons
      .filter(({ route }) => route.runOpen)
      .map(({ method, path }) => [`${method.toLowerCase()} ${inDocument(path)}`, []]);
    expect(listed.sort()).toEqual([...ofPages, ...ofPeople].sort());
    expect(forDashboard.security).toEqual([{ cookie: [] }]);
  });

  it('has only valid JSON Schemas', () => {
    const schemas = described.flatMap(({ operation: { parameters, requestBody, responses } }) => [
      ...parameters.map(({ schema }) => schema),
      ...Object.values(requestBody?.content ?? {}).map(({ schema }) => schema),
      ...Object.values(responses).flatMap(({ content }) => Object.values(content).map(({ schema }) => schema)),
    ]);
    expect(schemas.length).toBeGreaterThan(operations.length);
    const all = new Map(
      [...schemas, ...Object.values(document.components.schemas)].map((one) => [JSON.stringify(one), one]),
    );
    expect([...all.values()].filter((schema) => !ajv.validateSchema(schema))).toEqual([]);
  });

  it('does not declare a time of day where it accepts a full timestamp', () => {
    expect(JSON.stringify(document)).not.toContain('"format":"time"');
  });

  it('publishes examples that fit their schemas', () => {
    const bodies = described.flatMap(({ from, operation: { requestBody, responses } }) =>
      [requestBody, ...Object.values(responses)].flatMap((one) =>
        Object.values(one?.content ?? {}).map((content) => ({ from, ...content })),
      ),
    );
    const examples = bodies.filter(({ example }) => example !== undefined);
    expect(examples.length).toBeGreaterThan(300);
    const documents = [document, forDashboard];
    /** Lets a schema refer to the shared ones, which are compiled once, in the document that has them. */
    const within = (from: Document, schema: object): object =>
      JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${documents.indexOf(from)}#/`));
    for (const [at, one] of documents.entries()) ajv.addSchema({ components: one.components }, `${at}`);
    for (const { from, schema, example } of examples) {
      const validate = ajv.compile(within(from, schema));
      expect([example, validate(example), validate.errors]).toEqual([example, true, null]);
    }
  });

  it('describes what is sent to webhooks, by topic', () => {
    expect(Object.keys(document.webhooks)).toEqual([...webhookEventKinds]);
    for (const { post } of Object.values(document.webhooks)) {
      const { schema } = post.requestBody.content['application/json'] ?? { schema: {} };
      expect(ajv.validateSchema({ ...schema, components: document.components })).toBe(true);
    }
  });

  it('leaves what only the dashboard calls to a document of its own', () => {
    expect(Object.keys(document.paths).filter((path) => /^\/v3\/(session|person|links)/.test(path))).toEqual([]);
    expect(Object.keys(forDashboard.paths)).toEqual(
      expect.arrayContaining(['/v3/session', '/v3/edit/tours/{id}/copy']),
    );
  });
});

describe.runIf(onSqlite)('routes', () => {
  const all: (Route | PageRoute)[] = [...routes, ...pageRoutes];

  it('has an example for every route with a required parameter', () => {
    const without = all.filter(({ parameters, example, pathParameters }) => {
      const { required = [], properties = {} } = parameters as {
        required?: string[];
        properties?: Record<string, ParameterSchema>;
      };
      const needed = required.filter((name) => !pathParameters.includes(name));
      return needed.some((name) => properties[name]?.default === undefined) && !example;
    });
    expect(without.map(({ methods, path }) => `${methods} ${path}`)).toEqual([]);
  });

  it('has only examples that parse', () => {
    const unread = all.flatMap(({ path, pathParameters, example, read }) => {
      const words = wordsOf(path);
      const inPath = Object.fromEntries(pathParameters.map((name) => [name, words[name] ?? unknownId]));
      const reading = read({ ...inPath, ...example }, Date.now());
      return 'problems' in reading ? [{ path, problems: reading.problems }] : [];
    });
    expect(unread).toEqual([]);
  });

  it('names every parameter of an example in the schema', () => {
    const closed = all.filter(({ parameters }) => !('additionalProperties' in parameters));
    const strange = closed.flatMap((route) =>
      Object.keys(route.example ?? {}).filter((name) => !Object.hasOwn(parametersOf(route), name)),
    );
    expect(strange).toEqual([]);
  });
});

async function makeEventName(as: CreatedAccount): Promise<{ id: string }> {
  await api.post('/v3/observe/hooks/events', { uid: newUid(), name: 'Opened' }, { as });
  return { id: (await api.get('/v3/edit/event_names', { as })).body.event_names[0].id };
}
