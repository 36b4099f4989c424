import { type Browser, type Custom, drawPercent, lastSessionAt, type Millis, type State } from '@usher/domain';
import { type ExpressionBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { FixedQuery } from '../../db/fixed-query.ts';
import type { JsonSql } from '../../db/json.ts';
import type { Schema } from '../../db/schema.ts';
import type { Db } from '../../db/storage.ts';
import type { DeliveryRow } from '../deliveries/queries.ts';
import type { ProfileRow } from '../profiles/queries.ts';
import { checkVisitor, type Visit } from './visit-token.ts';

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
export type VisitorRow = ProfileFacts & Pick<ProfileRow, 'delivery_ids' | 'custom'>;

/** What a page load knows of its user. */
export interface Visitor {
  row: VisitorRow;
  company: { uid: string; updated_at: Millis; custom: Custom } | undefined;
  /** By the ID of the Experience. */
  interactions: ReadonlyMap<string, InteractionOfVisitor>;
}

interface InteractionOfVisitor {
  state: State;
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

type Fetched = Pick<VisitorRow, 'delivery_ids' | 'custom'> & { facts: string; company: string; interactions: string };

/** All in one statement: each further one would cost as much as the rest of a page load. */
function columnsOf(account: string, { list, rows }: JsonSql) {
  const namesIn = (table: string, names: readonly string[]) => rows(names.map((name) => sql.ref(`${table}.${name}`)));
  return (eb: ExpressionBuilder<Schema, 'profiles'>) => [
    'profiles.delivery_ids' as const,
    'profiles.custom' as const,
    list(profileColumns.map((name) => sql.ref(`profiles.${name}`))).as('facts'),
    eb
      .selectFrom('companies')
      .select(namesIn('companies', ['uid', 'updated_at', 'custom']).as('rows'))
      .where('companies.account_id', '=', account)
      .whereRef('companies.id', '=', 'profiles.company_id')
      .$asScalar()
      .$notNull()
      .as('company'),
    eb
      .selectFrom('interactions')
      .select(namesIn('interactions', interactionColumns).as('rows'))
      .where('interactions.account_id', '=', account)
      .whereRef('interactions.profile_id', '=', 'profiles.id')
      .$asScalar()
      .$notNull()
      .as('interactions'),
  ];
}

const byUid = new FixedQuery<Fetched, 'uid'>((db, account, hole, { json }) =>
  db
    .selectFrom('profiles')
    .select(columnsOf(account, json))
    .where('profiles.account_id', '=', account)
    .where('profiles.uid', '=', hole('uid')),
);

export async function findVisitor(ctx: Context, uid: string): Promise<Visitor | undefined> {
  const [row] = await ctx.run(byUid, { uid });
  return row && toVisitor(row);
}

const byId = new FixedQuery<Fetched, 'id'>((db, account, hole, { json }) =>
  db
    .selectFrom('profiles')
    .select(columnsOf(account, json))
    .where('profiles.account_id', '=', account)
    .where('profiles.id', '=', hole('id')),
);

/** Whose page it is. */
export async function visitorOf(ctx: Context, visit: Visit): Promise<Visitor> {
  const [row] = await ctx.run(byId, { id: visit.profileId });
  const visitor = row && toVisitor(row);
  checkVisitor(visit, visitor?.row);
  return visitor as Visitor;
}

/** Someone who was never seen, and is not stored. */
export function newcomer(ctx: Context, uid: string): Visitor {
  const { id, updated_at } = ctx.newRow();
  const nothing = { email: null, company_id: null, last_seen_at: null, last_cleared_at: null };
  const browser = { browser_x: null, browser_tz: null, browser_l: null, browser_n: null, browser_k: null };
  const start = { percent: drawPercent(), last_seen_session_count: 0, delivery_ids: [], custom: {} };
  return {
    row: { id, updated_at, uid, ...nothing, ...browser, ...start },
    company: undefined,
    interactions: none,
  };
}

type Seen = Browser & { uid: string; now: Millis };
type SeenHole = keyof Seen | 'last_session';
const browserColumns = ['browser_x', 'browser_tz', 'browser_l', 'browser_n', 'browser_k'] as const;

/** The rule for sessions is `seenAgain`. */
function seeing(db: Db, account: string, hole: (name: SeenHole) => never, json: JsonSql) {
  return db
    .updateTable('profiles')
    .set((eb) => ({
      last_seen_at: eb
        .case()
        .when('last_seen_at', '>', hole('now'))
        .then(eb.ref('last_seen_at'))
        .else(hole('now'))
        .end(),
      last_seen_session_count: eb
        .case()
        .when('last_seen_at', '>=', hole('last_session'))
        .then(eb.ref('last_seen_session_count'))
        .else(eb('last_seen_session_count', '+', 1))
        .end(),
      ...Object.fromEntries(browserColumns.map((name) => [name, eb.fn.coalesce(eb.val(hole(name)), name)])),
    }))
    .where('profiles.account_id', '=', account)
    .where('profiles.uid', '=', hole('uid'))
    .returning(columnsOf(account, json));
}

const seen = new FixedQuery<Fetched, SeenHole>((db, account, hole, { json }) => seeing(db, account, hole, json));

const seenAtVersion = new FixedQuery<Fetched, SeenHole | 'version'>((db, account, hole, { json }) =>
  seeing(db, account, hole, json).where((eb) => {
    const version = eb.selectFrom('lives').select('version').where('lives.account_id', '=', account);
    return eb(eb.fn.coalesce(version, eb.lit(0)), '=', hole('version'));
  }),
);

/** Records that a user was seen, in the transaction that has the profile. */
export async function noteVisit(ctx: Context, given: Seen): Promise<Visitor> {
  const [row] = await ctx.run(seen, { ...given, last_session: lastSessionAt(given.now) });
  return toVisitor(row as Fetched);
}

/** The same by itself. Undefined: the user is unknown, or something was published since this version. */
export async function noteVisitAt(ctx: Context, version: number, given: Seen): Promise<Visitor | undefined> {
  const [row] = await ctx.runAlone(seenAtVersion, { ...given, last_session: lastSessionAt(given.now), version });
  return row && toVisitor(row);
}

type Value = string | number | null;

function toVisitor({ facts, company, interactions, delivery_ids, custom }: Fetched): Visitor {
  const row = { ...(named(profileColumns, JSON.parse(facts)) as unknown as ProfileFacts), delivery_ids, custom };
  const [known] = JSON.parse(company) as [string, Millis, string | Custom][];
  return {
    row,
    company: known && { uid: known[0], updated_at: known[1], custom: parsed(known[2]) },
    interactions: interactions === '[]' ? none : new Map((JSON.parse(interactions) as Value[][]).map(toInteraction)),
  };
}

/** SQLite has JSON as text. */
function parsed(custom: string | Custom): Custom {
  return typeof custom === 'string' ? JSON.parse(custom) : custom;
}

function toInteraction(values: Value[]): [string, InteractionOfVisitor] {
  const [id, ...rest] = values;
  return [String(id), named(interactionColumns.slice(1), rest) as unknown as InteractionOfVisitor];
}

function named(names: readonly string[], values: readonly Value[]): Record<string, Value | undefined> {
  const facts: Record<string, Value | undefined> = {};
  for (const [at, name] of names.entries()) facts[name] = values[at];
  return facts;
}

const pending = new FixedQuery((db, account, hole: (name: 'profile_id') => never) =>
  db
    .selectFrom('deliveries')
    .selectAll()
    .where('account_id', '=', account)
    .where('profile_id', '=', hole('profile_id'))
    .where('removed_at', 'is', null)
    .where('at', 'is', null),
);

/** The pending Deliveries of a user, in their order. */
export async function pendingOf(ctx: Context, { id, delivery_ids }: VisitorRow): Promise<DeliveryRow[]> {
  if (delivery_ids.length === 0) return [];
  const byId = new Map((await ctx.run(pending, { profile_id: id })).map((row) => [row.id, row]));
  return delivery_ids.flatMap((one) => byId.get(one) ?? []);
}

const events = new FixedQuery((db, account, hole: (name: 'profile_id') => never) =>
  db
    .selectFrom('profile_events')
    .select(['name', 'count', 'last_at'])
    .where('account_id', '=', account)
    .where('profile_id', '=', hole('profile_id')),
);

export async function eventsOf(
  ctx: Context,
  { id }: VisitorRow,
): Promise<Map<string, { count: number; last_at: Millis }>> {
  return new Map((await ctx.run(events, { profile_id: id })).map((row) => [row.name, row]));
}

const responses = new FixedQuery((db, account, hole: (name: 'profile_id') => never) =>
  db
    .selectFrom('responses')
    .select(['experience_id', 'button_index'])
    .where('account_id', '=', account)
    .where('profile_id', '=', hole('profile_id')),
);

/** By the ID of the survey, the index of the button of each answer. */
export async function answersOf(ctx: Context, { id }: VisitorRow): Promise<Map<string, (number | null)[]>> {
  const answers = new Map<string, (number | null)[]>();
  for (const { experience_id, button_index } of await ctx.run(responses, { profile_id: id }))
    answers.set(experience_id, [...(answers.get(experience_id) ?? []), button_index]);
  return answers;
}
