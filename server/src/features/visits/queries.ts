import {
  type Browser,
  type Custom,
  drawPercent,
  type InteractionState,
  type Millis,
  sessionCutoff,
  timeOfId,
} from '@usher/domain';
import { type Compilable, type Expression, type ExpressionBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { CoalescedWrite } from '../../db/coalesced-write.ts';
import { type JsonSql, sqliteTable } from '../../db/json.ts';
import { PreparedQuery } from '../../db/prepared-query.ts';
import type { Schema } from '../../db/schema.ts';
import type { SqlDialect } from '../../db/sql-dialect.ts';
import type { Db } from '../../db/storage.ts';
import { checkVisitor, type Visit } from '../../pages/visit-token.ts';
import type { DeliveryRow } from '../deliveries/queries.ts';
import type { ProfileRow } from '../profiles/queries.ts';

const profileColumns = [
  ...(['id', 'updated_at', 'uid', 'email', 'company_id', 'percent'] as const),
  ...(['browser_x', 'browser_tz', 'browser_l', 'browser_n', 'browser_k'] as const),
  ...(['last_seen_at', 'last_seen_session_count', 'last_cleared_at'] as const),
];
const interactionColumns = [
  ...(['experience_id', 'state', 'updated_at', 'defer_until', 'group_kind'] as const),
  ...(['displayed_at', 'started_at', 'completed_at', 'exited_at', 'step_id'] as const),
];

type ProfileFacts = Pick<ProfileRow, (typeof profileColumns)[number]>;
export type VisitorRow = ProfileFacts & Pick<ProfileRow, 'delivery_ids' | 'custom' | 'page_keys'>;

/** What a page load knows of its user. */
export interface Visitor {
  row: VisitorRow;
  company: { uid: string; updated_at: Millis; custom: Custom } | undefined;
  /** By the ID of the Experience. */
  interactions: ReadonlyMap<string, InteractionOfVisitor>;
}

interface InteractionOfVisitor {
  state: InteractionState;
  updated_at: Millis;
  defer_until: Millis | null;
  group_kind: string | null;
  displayed_at: Millis | null;
  started_at: Millis | null;
  completed_at: Millis | null;
  exited_at: Millis | null;
  /** The step that was seen last. */
  step_id: string | null;
}

const none: Visitor['interactions'] = new Map();

/** One JSON text: a list of the facts, and of what has its own form. */
interface Fetched {
  visitor: string;
}

/** All in one statement, each further one would cost as much as the rest of a page load; and in one column. */
function visitorOn(account: string, { list, rows, joined }: JsonSql, profiles: string = 'profiles') {
  const namesIn = (table: string, names: readonly string[]) => names.map((name) => sql.ref(`${table}.${name}`));
  return (eb: ExpressionBuilder<Schema, 'profiles'>) =>
    joined([
      list(namesIn(profiles, profileColumns)),
      sql.ref(`${profiles}.delivery_ids`),
      sql.ref(`${profiles}.custom`),
      sql.ref(`${profiles}.page_keys`),
      eb
        .selectFrom('companies')
        .select(rows(namesIn('companies', ['uid', 'updated_at', 'custom'])).as('rows'))
        .where('companies.account_id', '=', account)
        .whereRef('companies.id', '=', sql.ref(`${profiles}.company_id`)),
      eb
        .selectFrom('interactions')
        .select(rows(namesIn('interactions', interactionColumns)).as('rows'))
        .where('interactions.account_id', '=', account)
        .whereRef('interactions.profile_id', '=', sql.ref(`${profiles}.id`)),
    ]).as('visitor');
}

/** A write of one or more profiles. */
type Writing = ReturnType<typeof seeing> | ReturnType<typeof making>;

/**
 * The visitors that were written. On SQLite the write itself returns them, as it can be no part of another statement; on
 * PostgreSQL they are selected from its rows, as Citus computes nothing in RETURNING.
 */
function visitorsWritten(db: Db, account: string, { engine, json }: SqlDialect, writing: Writing): Compilable<Fetched> {
  if (engine === 'sqlite') return (writing as ReturnType<typeof making>).returning(visitorOn(account, json));
  const rows = (writing as ReturnType<typeof making>).returning([
    ...profileColumns,
    'delivery_ids',
    'custom',
    'page_keys',
  ]);
  return db
    .with('changed', () => rows)
    .selectFrom('changed')
    .select(visitorOn(account, json, 'changed') as never);
}

const byUid = new PreparedQuery<Fetched, 'uid'>((db, account, param, { json }) =>
  db
    .selectFrom('profiles')
    .select(visitorOn(account, json))
    .where('profiles.account_id', '=', account)
    .where('profiles.uid', '=', param('uid')),
);

export async function findVisitor(ctx: Context, uid: string): Promise<Visitor | undefined> {
  const [row] = await ctx.run(byUid, { uid });
  return row && parseVisitor(row);
}

const byId = new PreparedQuery<Fetched, 'id'>((db, account, param, { json }) =>
  db
    .selectFrom('profiles')
    .select(visitorOn(account, json))
    .where('profiles.account_id', '=', account)
    .where('profiles.id', '=', param('id')),
);

/** Whose page it is. */
export async function visitorOf(ctx: Context, visit: Visit): Promise<Visitor> {
  const [row] = await ctx.run(byId, { id: visit.profileId });
  const visitor = row && parseVisitor(row);
  checkVisitor(visit, visitor?.row);
  return visitor as Visitor;
}

/** Someone who was never seen, and is not stored. */
export function newcomer(ctx: Context, uid: string): Visitor {
  const id = ctx.newId();
  const nothing = { email: null, company_id: null, last_seen_at: null, last_cleared_at: null };
  const browser = { browser_x: null, browser_tz: null, browser_l: null, browser_n: null, browser_k: null };
  const start = { percent: drawPercent(), last_seen_session_count: 0, delivery_ids: [], custom: {}, page_keys: [] };
  return {
    row: { id, updated_at: timeOfId(id), uid, ...nothing, ...browser, ...start },
    company: undefined,
    interactions: none,
  };
}

type Seen = Browser & { uid: string; now: Millis };
type SeenName = keyof Seen | 'last_session';
const browserColumns = ['browser_x', 'browser_tz', 'browser_l', 'browser_n', 'browser_k'] as const;

/** The rule for sessions is `updateLastSeen`. */
function seeing(db: Db, params: (name: SeenName) => Expression<never>) {
  const now = params('now');
  return db.updateTable('profiles').set((eb) => ({
    last_seen_at: eb
      .case()
      .when('profiles.last_seen_at', '>', now)
      .then(eb.ref('profiles.last_seen_at'))
      .else(now)
      .end(),
    last_seen_session_count: eb
      .case()
      .when('profiles.last_seen_at', '>=', params('last_session'))
      .then(eb.ref('profiles.last_seen_session_count'))
      .else(eb('profiles.last_seen_session_count', '+', 1))
      .end(),
    ...Object.fromEntries(
      browserColumns.map((name) => [name, eb.fn.coalesce(params(name), eb.ref(`profiles.${name}`))]),
    ),
  }));
}

/** Whether nothing was published since. */
function isAtVersion(account: string, version: Expression<never>) {
  return (eb: ExpressionBuilder<Schema, 'profiles'>) => {
    const current = eb
      .selectFrom('published_versions')
      .select('version')
      .where('published_versions.account_id', '=', account);
    return eb(eb.fn.coalesce(current, eb.lit(0)), '=', version);
  };
}

const seen = new PreparedQuery<Fetched, SeenName>((db, account, param, dialect) => {
  const writing = seeing(db, (name) => sql`${param(name)}`)
    .where('profiles.account_id', '=', account)
    .where('profiles.uid', '=', param('uid'));
  return visitorsWritten(db, account, dialect, writing);
});

type SeenAtVersion = Seen & { last_session: Millis; version: number };
const seenNames = ['uid', 'now', 'last_session', 'version', ...browserColumns] as const;

const seenAtVersion: CoalescedWrite<SeenAtVersion, Fetched, Visitor> = {
  single: new PreparedQuery((db, account, param, dialect) => {
    const writing = seeing(db, (name) => sql`${param(name)}`)
      .where('profiles.account_id', '=', account)
      .where('profiles.uid', '=', param('uid'))
      .where(isAtVersion(account, sql`${param('version')}`));
    return visitorsWritten(db, account, dialect, writing);
  }),
  names: seenNames,
  batched: new PreparedQuery((db, account, param, dialect) => {
    const writing = seeing(db, (name) => sql.ref(`seen.${name}`))
      .from(sqliteTable(param('items'), seenNames).as('seen'))
      .where('profiles.account_id', '=', account)
      .whereRef('profiles.uid', '=', sql.ref('seen.uid'))
      .where(isAtVersion(account, sql.ref('seen.version')));
    return visitorsWritten(db, account, dialect, writing as never);
  }),
  keyOf: ({ uid }) => uid,
  read: readVisitor,
};

const made = ['id', 'updated_at', 'uid', 'percent', 'custom', 'page_keys', 'last_seen_at', ...browserColumns] as const;
type Made = Browser & {
  id: string;
  updated_at: Millis;
  uid: string;
  percent: number;
  /** As JSON. */
  custom: string;
  /** As JSON. */
  page_keys: string;
  last_seen_at: Millis;
  version: number;
};
/** When it is written it gets its ID, and its times with it. */
const notYet = { id: '', updated_at: 0, last_seen_at: 0 };

function making(db: Db, rows: Expression<never>) {
  return db
    .insertInto('profiles')
    .columns(['account_id', ...made, 'last_seen_session_count'])
    .expression(rows)
    .onConflict((taken) => taken.doNothing());
}

const paramNames = [...made, 'version'] as const;

const madeAtVersion: CoalescedWrite<Made, Fetched, Visitor> = {
  single: new PreparedQuery((db, account, param, dialect) => {
    const cast = (name: (typeof made)[number]) => sql`cast(${param(name)} as ${sql.raw(typesOfMade[name] ?? 'text')})`;
    const row = db
      .selectNoFrom((eb) => [
        eb.val(account).as('account_id'),
        ...made.map((name) => cast(name).as(name)),
        eb.lit(1).as('last_seen_session_count'),
      ])
      .where(isAtVersion(account, sql`${param('version')}`) as never);
    return visitorsWritten(db, account, dialect, making(db, row as never));
  }),
  names: paramNames,
  batched: new PreparedQuery((db, account, param, dialect) => {
    const rows = db
      .selectFrom(sqliteTable(param('items'), paramNames).as('given'))
      .select((eb) => [
        eb.val(account).as('account_id'),
        ...made.map((name) => sql.ref(`given.${name}`).as(name)),
        eb.lit(1).as('last_seen_session_count'),
      ])
      .where(isAtVersion(account, sql.ref('given.version')) as never);
    return visitorsWritten(db, account, dialect, making(db, rows as never));
  }),
  keyOf: ({ uid }) => uid,
  stamp: (item, { id, updated_at }) => Object.assign(item, { id, updated_at, last_seen_at: updated_at }),
  read: readVisitor,
};
/** Of those that are no text. */
const typesOfMade: Partial<Record<(typeof made)[number], string>> = {
  updated_at: 'bigint',
  percent: 'double precision',
  custom: 'jsonb',
  page_keys: 'jsonb',
  last_seen_at: 'bigint',
  browser_x: 'integer',
  browser_tz: 'integer',
};

function readVisitor(row: Fetched): { key: string; found: Visitor } {
  const found = parseVisitor(row);
  return { key: found.row.uid, found };
}

/** Makes the profile of a user who is seen for the first time. Undefined: there is one by now, or something was published. */
export function makeVisitorAt(
  ctx: Context,
  version: number,
  params: Omit<Made, 'version' | keyof typeof notYet>,
): Promise<Visitor | undefined> {
  return ctx.writeCoalesced(madeAtVersion, { ...notYet, ...params, version });
}

/** Records that a user was seen, in the transaction that has the profile. */
export async function noteVisit(ctx: Context, params: Seen): Promise<Visitor> {
  const [row] = await ctx.run(seen, { ...params, last_session: sessionCutoff(params.now) });
  return parseVisitor(row as Fetched);
}

/** The same by itself. Undefined: the user is unknown, or something was published since this version. */
export function noteVisitAt(ctx: Context, version: number, params: Seen): Promise<Visitor | undefined> {
  const { uid, now, browser_x, browser_tz, browser_l, browser_n, browser_k } = params;
  const last_session = sessionCutoff(now);
  const item = { uid, now, last_session, version, browser_x, browser_tz, browser_l, browser_n, browser_k };
  return ctx.writeCoalesced(seenAtVersion, item);
}

type Value = string | number | null;

type Parts = [Value[], string[], Custom, string[], [string, Millis, string | Custom][], Value[][]];

function parseVisitor({ visitor }: Fetched): Visitor {
  const [facts, delivery_ids, custom, page_keys, [company], interactions] = JSON.parse(visitor) as Parts;
  const row = named(profileColumns, facts) as unknown as VisitorRow;
  row.delivery_ids = delivery_ids;
  row.custom = custom;
  row.page_keys = page_keys;
  return {
    row,
    company: company && { uid: company[0], updated_at: company[1], custom: parsed(company[2]) },
    interactions: interactions.length === 0 ? none : new Map(interactions.map(toInteraction)),
  };
}

/** SQLite has JSON as text. */
function parsed(custom: string | Custom): Custom {
  return typeof custom === 'string' ? JSON.parse(custom) : custom;
}

function toInteraction(values: Value[]): [string, InteractionOfVisitor] {
  const interaction = named(interactionColumns, values) as unknown as InteractionOfVisitor & { experience_id: string };
  return [interaction.experience_id, interaction];
}

function named(names: readonly string[], values: readonly Value[]): Record<string, Value | undefined> {
  const facts: Record<string, Value | undefined> = {};
  for (let at = 0; at < names.length; at++) facts[names[at] as string] = values[at];
  return facts;
}

const pending = new PreparedQuery((db, account, param: (name: 'profile_id') => never) =>
  db
    .selectFrom('deliveries')
    .selectAll()
    .where('account_id', '=', account)
    .where('profile_id', '=', param('profile_id'))
    .where('removed_at', 'is', null)
    .where('at', 'is', null),
);

/** The pending Deliveries of a user, in their order. */
export async function pendingOf(ctx: Context, { id, delivery_ids }: VisitorRow): Promise<DeliveryRow[]> {
  if (delivery_ids.length === 0) return [];
  const byId = new Map((await ctx.run(pending, { profile_id: id })).map((row) => [row.id, row]));
  return delivery_ids.flatMap((one) => byId.get(one) ?? []);
}

const events = new PreparedQuery((db, account, param: (name: 'profile_id' | 'names') => never, { json }) =>
  db
    .selectFrom('profile_events')
    .select(['name', 'count', 'last_at'])
    .where('account_id', '=', account)
    .where('profile_id', '=', param('profile_id'))
    .where((eb) => json.isAmong(eb.ref('name'), param('names'))),
);

/** Those with one of these names: a user can have any number of others, of which nobody asks. */
export async function eventsOf(
  ctx: Context,
  { id }: Pick<VisitorRow, 'id'>,
  names: readonly string[],
): Promise<Map<string, { count: number; last_at: Millis }>> {
  const rows = await ctx.run(events, { profile_id: id, names: JSON.stringify(names) });
  return new Map(rows.map((row) => [row.name, row]));
}

const answers = new PreparedQuery((db, account, param: (name: 'profile_id') => never) =>
  db
    .selectFrom('answers')
    .select(['experience_id', 'button_index'])
    .where('account_id', '=', account)
    .where('profile_id', '=', param('profile_id')),
);

/** By the ID of the survey, the index of the button of each answer. */
export async function answersOf(ctx: Context, { id }: VisitorRow): Promise<Map<string, (number | null)[]>> {
  const indexes = new Map<string, (number | null)[]>();
  for (const { experience_id, button_index } of await ctx.run(answers, { profile_id: id }))
    indexes.set(experience_id, [...(indexes.get(experience_id) ?? []), button_index]);
  return indexes;
}
