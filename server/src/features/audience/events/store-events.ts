import {
  createPastIds,
  type EventItem,
  type EventSource,
  isGoalEvent,
  type Millis,
  quarterOf,
  timeOfId,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { Upsert } from '../../../db/bulk-rows.ts';
import { PreparedStatement } from '../../../db/prepared-statement.ts';
import { ApiError } from '../../../errors.ts';
import { currentAccount } from '../../../pages/current-account.ts';
import type { EventGoal, PublishedAccount } from '../../../published/published-account.ts';
import { type GoalEvent, meetGoals } from '../../delivery/interactions/meet-goals.ts';
import { addStarts, findMatches } from '../../delivery/starts/add-starts.ts';
import { findWithOpenItems, wakePages } from '../../delivery/starts/wake-pages.ts';
import { addEventCounts } from '../../results/counts/event-counts.ts';
import { type Sender, withPropertyRegistry } from '../properties/seen.ts';
import { type Admit, findEventProfiles } from './find-event-profiles.ts';

const idAt = createPastIds();

export interface NewEvent extends EventItem {
  admit?: Admit | undefined;
}

/** An event, and whether it was sent before with its idempotency key. */
export interface StoredEvent {
  id: string;
  isRepeated: boolean;
  /** Whether the page has to ask what shows: an Experience, or an item of a checklist, waits for the event. */
  starts: boolean;
}

interface EventRow {
  event: NewEvent;
  id: string;
  profile_id: string;
  isTest: boolean;
}

/** Who sends events. */
export interface EventSender extends Sender {
  source: EventSource;
}

/**
 * Stores events in one transaction, counts them for their profiles, and records the goals that they meet. Profiles are
 * created if their uid is new. Returns an error for each event that was rejected: the others are stored. If a profile had
 * an event with the idempotency key before, nothing changes and the first event is returned.
 */
export async function storeEvents(
  ctx: Context,
  events: readonly NewEvent[],
  sender: EventSender,
): Promise<(StoredEvent | ApiError)[]> {
  // Loading the account may write, which no transaction can wait for.
  const account = await currentAccount(ctx, ctx.account);
  return ctx.transaction(async (ctx) => {
    const { outcomes, fresh } = await storeRows(ctx, account, events, sender);
    // These rows are locked last. Nothing after them waits for another transaction.
    await addEventCounts(ctx, fresh.filter(({ isTest }) => !isTest).map(toCount), 1);
    return outcomes;
  });
}

function toCount({ event, id }: EventRow) {
  return { name: event.name, quarter: quarterOf(timeOfId(id)), count: 1 };
}

async function storeRows(
  ctx: Context,
  account: PublishedAccount,
  events: readonly NewEvent[],
  sender: EventSender,
): Promise<{ outcomes: (StoredEvent | ApiError)[]; fresh: EventRow[] }> {
  return withPropertyRegistry(ctx, sender, async (ctx, values) => {
    const profiles = await findEventProfiles(ctx, events, values);
    const outcomes: (EventRow | ApiError)[] = events.map((event, at) => {
      const profile = profiles[at] as Exclude<(typeof profiles)[number], undefined>;
      if (profile instanceof ApiError) return profile;
      const id = event.at === undefined ? ctx.newId() : idAt(event.at);
      return { event, id, profile_id: profile.id, isTest: profile.isTest };
    });
    const rows = outcomes.filter((outcome): outcome is EventRow => !(outcome instanceof ApiError));
    const repeated = await findRepeated(ctx, rows);
    const fresh = repeated.size === 0 ? rows : rows.filter((row) => !repeated.has(row));
    // In the order of the primary keys, so that fewer of their pages are written.
    const sorted = fresh.toSorted(byKey);
    await insertEvents(ctx, sorted);
    await countEvents(ctx, sorted);
    for (const { event, id, profile_id } of fresh) {
      values.add('event', profile_id, event.custom);
      const facts = { sources: [sender.source], props: Object.keys(event.custom) };
      values.addEventName(event.name, event.sentName, { id, of: profile_id }, facts);
    }
    const goalEvents = fresh.flatMap(toGoalEvents((name) => account.goals(name, ctx.now()), ctx.now()));
    await meetGoals(ctx, goalEvents, account.timeZone);
    // Repeated events too, because the page may not have received the first response. They have the time of the first event, so they
    // start nothing twice.
    const tracked = rows.map((row) => {
      const first = repeated.get(row);
      const { name, custom, at } = row.event;
      return { profile_id: row.profile_id, name, custom, at: first === undefined ? at : timeOfId(first) };
    });
    const started = await addStarts(ctx, findMatches(account, tracked, ctx.now()));
    const waiting = new Set([...started, ...(await findWithOpenItems(ctx, account, tracked, ctx.now()))]);
    // The page that has tracked an event gets its answer in the response.
    if (sender.integration !== 'browser') await wakePages(ctx, waiting);
    const stored = outcomes.map((outcome) => {
      if (outcome instanceof ApiError) return outcome;
      const first = repeated.get(outcome);
      return { id: first ?? outcome.id, isRepeated: first !== undefined, starts: waiting.has(outcome.profile_id) };
    });
    return { outcomes: stored, fresh };
  });
}

const eventsByKey = new PreparedStatement<{ id: string; profile_id: string; idempotency_key: string }, 'items'>(
  ({ json }) => `
    select known.id, known.profile_id, known.idempotency_key
    from ${json.table(':items', { profile_id: 'text', idempotency_key: 'text' })} as item
    cross join events as known
    where known.account_id = :account and known.profile_id = item.profile_id
      and known.idempotency_key = item.idempotency_key and known.idempotency_key is not null`,
);

/** Returns the ID of the first event for each that was sent before, or earlier in this list. The profiles are locked. */
async function findRepeated(ctx: Context, rows: readonly EventRow[]): Promise<Map<EventRow, string>> {
  const keyed = rows.filter(({ event }) => event.idempotency_key !== undefined);
  const repeated = new Map<EventRow, string>();
  if (keyed.length === 0) return repeated;
  const pairs = keyed.map(({ event, profile_id }) => [profile_id, event.idempotency_key]);
  const known = await ctx.run(eventsByKey, { items: JSON.stringify(pairs) });
  const first = new Map(known.map((row) => [`${row.profile_id} ${row.idempotency_key}`, row.id]));
  for (const row of keyed) {
    const key = `${row.profile_id} ${row.event.idempotency_key}`;
    const id = first.get(key);
    if (id === undefined) first.set(key, row.id);
    else repeated.set(row, id);
  }
  return repeated;
}

const eventInsert: Upsert = {
  table: 'events',
  columns: { id: 'text', profile_id: 'text', name: 'text', custom: 'jsonb', idempotency_key: 'text' },
  changes: [],
};

async function insertEvents(ctx: Context, rows: readonly EventRow[]): Promise<void> {
  if (rows.length === 0) return;
  const inserted = rows.map(({ event, id, profile_id }) => {
    const { name, text: custom, idempotency_key = null } = event;
    return { id, profile_id, name, custom, idempotency_key };
  });
  await ctx.dialect.upsert(ctx.db, ctx.account.id, eventInsert, inserted);
}

function byKey(one: EventRow, other: EventRow): number {
  if (one.profile_id !== other.profile_id) return one.profile_id < other.profile_id ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}

const countUpsert: Upsert = {
  table: 'profile_events',
  columns: { profile_id: 'text', name: 'text', count: 'bigint', first_at: 'bigint', last_at: 'bigint' },
  changes: ['count', 'first_at', 'last_at'],
  merged: { count: 'sum', first_at: 'min', last_at: 'max' },
  key: ['profile_id', 'name'],
};

async function countEvents(ctx: Context, rows: readonly EventRow[]): Promise<void> {
  if (rows.length === 0) return;
  const counts = new Map<
    string,
    { profile_id: string; name: string; count: number; first_at: Millis; last_at: Millis }
  >();
  for (const { id, profile_id, event } of rows) {
    const at = timeOfId(id);
    const count = counts.get(profile_id + event.name);
    if (!count) {
      counts.set(profile_id + event.name, { profile_id, name: event.name, count: 1, first_at: at, last_at: at });
      continue;
    }
    count.count += 1;
    count.first_at = Math.min(count.first_at, at);
    count.last_at = Math.max(count.last_at, at);
  }
  await ctx.dialect.upsert(ctx.db, ctx.account.id, countUpsert, [...counts.values()]);
}

/** Most names are no goal, so each is looked up once. */
function toGoalEvents(goals: (name: string) => readonly EventGoal[], now: Millis) {
  const byName = new Map<string, readonly EventGoal[]>();
  return ({ event, profile_id }: EventRow): GoalEvent[] => {
    const found = byName.get(event.name) ?? goals(event.name);
    byName.set(event.name, found);
    const met = found.filter(({ goal }) => isGoalEvent(goal, event, now));
    return met.map(({ id }) => ({ profile_id, experience_id: id, at: event.at }));
  };
}
