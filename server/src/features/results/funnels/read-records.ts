import { eventCondition, firstIdAt, type InteractionState } from '@usher/domain';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { always, and, or } from '../../audience/filters/bool-sql.ts';
import { conditionSql } from '../../audience/filters/condition-sql.ts';
import type { EventDeed, Funnel, StateDeed } from './resolve-funnel.ts';

/*
 * What people did comes as one text for a chunk of people, because a million rows as objects would take ten times as long. Each record in it
 * has the same length: the ID of the profile, the time as in IDs, and the mask of the deed, all in hexadecimal.
 */
export const PROFILE_LENGTH = 24;
export const TIME_LENGTH = 11;
const MASK_LENGTH = 2;
export const RECORD_LENGTH = PROFILE_LENGTH + TIME_LENGTH + MASK_LENGTH;

/** The people with IDs from `from` to before `before`. */
export interface PeopleChunk {
  from: string;
  before: string;
  /** Whether most people of the chunk did the first step: then all events are read in their order, which is faster than those of each person. */
  isDense: boolean;
}

function isIn(profileId: string, { from, before }: PeopleChunk): RawBuilder<SqlBool> {
  return sql`${sql.ref(profileId)} >= ${from} and ${sql.ref(profileId)} < ${before}`;
}

/** Everybody who may have done the first step. */
export function peopleOf({ heavyDb, account }: Context, { events, states }: Funnel) {
  const event = events.find(({ mask }) => mask & 1);
  const state = states.find(({ mask }) => mask & 1);
  return event
    ? heavyDb
        .selectFrom('profile_events as person')
        .where('person.account_id', '=', account.id)
        .where('person.name', '=', event.name)
    : heavyDb
        .selectFrom('interactions as person')
        .where('person.account_id', '=', account.id)
        .where('person.experience_id', '=', state?.experienceId ?? '');
}

/** The events of a chunk of people that are steps, each person together and in their order. */
export async function readEvents(ctx: Context, funnel: Funnel, chunk: PeopleChunk): Promise<string> {
  const { events, from, before, windowMs } = funnel;
  if (events.length === 0) return '';
  const names = [...new Set(events.map(({ name }) => name))];
  const masks = names.map(
    (name) =>
      sql`when ${name} then ${maskSql(
        ctx,
        events.filter((event) => event.name === name),
      )}`,
  );
  const record = sql<string>`event.profile_id || substr(event.id, 1, ${sql.lit(TIME_LENGTH)})
    || case event.name ${sql.join(masks, sql` `)} end`;
  const chosen = ctx.heavyDb
    .selectFrom('events as event')
    .where('event.account_id', '=', ctx.account.id)
    .where('event.id', '>=', firstIdAt(from))
    .where('event.id', '<', firstIdAt(before + windowMs))
    .where('event.name', 'in', names)
    .where(
      events.every(({ filters }) => filters.length === 0)
        ? always
        : or(...events.map((event) => and(sql<SqlBool>`event.name = ${event.name}`, ...filterSql(ctx, event)))),
    );
  const isFirst = events.some(({ mask }) => mask & 1);
  const people = peopleOf(ctx, funnel)
    .where(isIn('person.profile_id', chunk))
    .where(isFirst ? sql<SqlBool>`person.last_at >= ${from} and person.first_at < ${before}` : always)
    .select('person.profile_id');
  const inChunk = chunk.isDense
    ? chosen.where(isIn('event.profile_id', chunk))
    : chosen.where('event.profile_id', 'in', people);
  return readText(ctx, sql`${inChunk.select(record.as('record')).orderBy('event.profile_id').orderBy('event.id')}`);
}

function filterSql({ account, dialect, now }: Context, { filters }: EventDeed) {
  if (filters.length === 0) return [];
  const scope = { accountId: account.id, dialect, now: now(), custom: 'event.custom' };
  return [conditionSql(eventCondition({ filters: [...filters] }), scope)];
}

/** An event with several tests of its properties can be several steps. */
function maskSql(ctx: Context, events: readonly EventDeed[]): RawBuilder<string> {
  const [first] = events;
  if (events.length === 1 && first) return sql`${toHex(first.mask)}`;
  const parts = events.map((event) => {
    const [condition] = filterSql(ctx, event);
    return condition ? sql`case when ${condition} then ${sql.lit(event.mask)} else 0 end` : sql`${sql.lit(event.mask)}`;
  });
  return sql`substr(${ALL_MASKS}, 1 + ${sql.lit(MASK_LENGTH)} * (${sql.join(parts, sql` + `)}), ${sql.lit(MASK_LENGTH)})`;
}

const toHex = (mask: number) => mask.toString(16).padStart(MASK_LENGTH, '0');
const ALL_MASKS = Array.from({ length: 256 }, (_, mask) => toHex(mask)).join('');

/** States of one moment come in this order. */
const stateOrder: readonly InteractionState[] = ['displayed', 'started', 'completed', 'exited'];

/**
 * The states of a chunk of people that are steps: the first time of each day, and the last time of all. Both may be of one report, then they are
 * the same, or differ by some milliseconds.
 */
export async function readStates(ctx: Context, funnel: Funnel, chunk: PeopleChunk): Promise<string> {
  const { states, from, before, windowMs } = funnel;
  if (states.length === 0) return '';
  const account = ctx.account.id;
  const isInTime = (time: string) => sql`${sql.ref(time)} >= ${from} and ${sql.ref(time)} < ${before + windowMs}`;
  const parts = states.map(({ experienceId, state, mask }: StateDeed) => {
    const deed = sql`${sql.lit(stateOrder.indexOf(state))} as place, ${sql.lit(toHex(mask))} as mask, reached.experience_id`;
    const reached = sql`reached.account_id = ${account} and reached.experience_id = ${experienceId} and ${isIn('reached.profile_id', chunk)}`;
    const last = `reached.${state}_at`;
    return sql`select done.profile_id, done.at, ${deed}
        from interactions as reached cross join activities as done
        where ${reached} and done.account_id = ${account} and done.profile_id = reached.profile_id
          and done.experience_id = ${experienceId} and done.what = ${state} and done.part_id = '' and ${isInTime('done.at')}
      union select reached.profile_id, ${sql.ref(last)}, ${deed} from interactions as reached
        where ${reached} and ${isInTime(last)}`;
  });
  return readText(
    ctx,
    sql`select profile_id || ${ctx.dialect.id.at(sql`at`)} || mask as record
      from (${sql.join(parts, sql` union `)}) as deed
      order by profile_id, at, place, experience_id`,
  );
}

/** The test users of a chunk, whom no number counts. */
export async function readTestUsers(ctx: Context, chunk: PeopleChunk): Promise<Set<string>> {
  const rows = await ctx.heavyDb
    .selectFrom('profiles')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where(sql<SqlBool>`is_test`)
    .where(isIn('id', chunk))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** The IDs that a query for a chunk of people selects. */
export async function readIds(ctx: Context, ids: RawBuilder<unknown>): Promise<Set<string>> {
  const text = await readText(ctx, sql`select found.id as record from (${ids}) as found`);
  const found = new Set<string>();
  for (let at = 0; at < text.length; at += PROFILE_LENGTH) found.add(text.slice(at, at + PROFILE_LENGTH));
  return found;
}

async function readText(ctx: Context, records: RawBuilder<unknown>): Promise<string> {
  const joined = ctx.dialect.engine === 'sqlite' ? sql`group_concat(record, '')` : sql`string_agg(record, '')`;
  const query = sql<{ text: string | null }>`select ${joined} as text from (${records}) as one`;
  const [row] = (await query.execute(ctx.heavyDb)).rows;
  return row?.text ?? '';
}
