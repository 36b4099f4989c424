import {
  type EventFacts,
  laterOf,
  MAX_NEW_UNPROVEN_NAMES,
  MAX_REGISTERED_NAMES,
  MAX_UNPROVEN_NAMES,
  type Millis,
  mergeSeenValues,
  mergeUnprovenUse,
  type SeenProperty,
  timeOfId,
  wasSeenBefore,
} from '@usher/domain';
import type { AppContext, Context, PropertyRegistry } from '../../../context.ts';
import { type AccountClock, takeClock } from '../../../db/account-clock.ts';
import type { Upsert } from '../../../db/bulk-rows.ts';
import type { Db } from '../../../db/storage.ts';

const FLUSH_MS = 1000;
/** This is more than a product has. When it is reached, properties are looked up again as if they were new. */
const MAX_CACHED = 50_000;
const BATCH_SIZE = 500;
/** After this time a rejected property is looked up again: an administrator may have created it in the meantime. */
const REJECTED_FOR_MS = 60_000;

type Dependencies = Pick<AppContext, 'storage' | 'now'>;

/**
 * Every property of profiles, companies and events becomes a Property. A new one is registered in the transaction of its
 * data. Nearly every request would update the rows of known ones, and wait for them: so their samples are collected in
 * memory and written once a second. A crash loses at most one second of samples.
 */
export function createPropertyRegistry(deps: Dependencies): PropertyRegistry {
  const { storage } = deps;
  const cached = new Set<string>();
  /** Properties beyond the limit of their source, each with the time when it is looked up again. */
  const rejected = new Map<string, number>();
  const pending = new Map<string, Map<string, SeenProperty>>();
  const flushing = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  const add = (accountId: string, seen: readonly SeenProperty[]) => {
    const properties = pending.get(accountId) ?? new Map<string, SeenProperty>();
    pending.set(accountId, properties);
    for (const one of seen) {
      const before = properties.get(keyOf(one));
      const isUnproven = one.isUnproven && (before?.isUnproven ?? true);
      properties.set(keyOf(one), before ? { ...one, ...mergeSeenValues(before, one), isUnproven } : one);
    }
  };
  const writePending = async (accountId: string) => {
    const seen = [...(pending.get(accountId)?.values() ?? [])];
    pending.delete(accountId);
    for (let at = 0; at < seen.length; at += BATCH_SIZE) {
      const batch = seen.slice(at, at + BATCH_SIZE);
      await storage
        .write(accountId, async (db) => {
          const owned = await dropOrphanedSamples(deps, db, accountId, batch);
          const names = await findDeletedNames(db, accountId, owned);
          if (names.length > 0) await insert(await takeClock(storage, db, accountId, deps.now()), db, names);
          // A name that was deleted is registered again when it is sent the next time.
          for (const one of await update(deps, db, accountId, owned)) cached.delete(`${accountId} ${keyOf(one)}`);
        })
        .catch((error) => {
          add(accountId, seen.slice(at));
          throw error;
        });
    }
  };
  /** Flushes of an account run one after the other: when one resolves, everything recorded before it is stored. */
  const flush = (accountId: string) => {
    const before = flushing.get(accountId) ?? Promise.resolve();
    const writing = before.catch(() => {}).then(() => writePending(accountId));
    flushing.set(accountId, writing);
    return writing.finally(() => {
      if (flushing.get(accountId) === writing) flushing.delete(accountId);
    });
  };
  const flushAll = () => Promise.allSettled([...pending.keys()].map(flush));
  const flushSoon = () => {
    timer ??= setTimeout(async () => {
      await flushAll();
      timer = undefined;
      if (pending.size > 0) flushSoon();
    }, FLUSH_MS).unref();
  };

  const isCached = (accountId: string, one: SeenProperty) => cached.has(`${accountId} ${keyOf(one)}`);
  const isRejected = (accountId: string, one: SeenProperty) =>
    rejected.size > 0 && (rejected.get(rejectedKey(accountId, one)) ?? 0) > deps.now();

  return {
    has: (accountId, seen) => seen.every((one) => isCached(accountId, one) || isRejected(accountId, one)),
    async register(ctx, seen) {
      const { id } = ctx.account;
      const fresh = seen.filter((one) => !isCached(id, one) && !isRejected(id, one));
      for (let at = 0; at < fresh.length; at += BATCH_SIZE) {
        const batch = fresh.slice(at, at + BATCH_SIZE);
        const { tooMany, replaced } = await makeRoom(ctx, batch);
        for (const one of replaced) cached.delete(`${id} ${keyOf(one)}`);
        const kept = tooMany.size === 0 ? batch : batch.filter((one) => !tooMany.has(one));
        if (kept.length > 0) {
          await insert(await ctx.clock(), ctx.db, kept);
          await update(deps, ctx.db, id, kept);
        }
        if (tooMany.size === 0) continue;
        if (rejected.size > MAX_CACHED) rejected.clear();
        for (const one of tooMany) rejected.set(rejectedKey(id, one), deps.now() + REJECTED_FOR_MS);
        ctx.app.pageCounts.add(id, 'properties_limit', tooMany.size);
      }
    },
    record(accountId, seen) {
      const accepted = rejected.size === 0 ? seen : seen.filter((one) => !isRejected(accountId, one));
      if (accepted.length === 0) return;
      if (cached.size > MAX_CACHED) cached.clear();
      for (const one of accepted) cached.add(`${accountId} ${keyOf(one)}`);
      add(accountId, accepted);
      flushSoon();
    },
    flush,
    forget: (accountId, name) => void cached.delete(`${accountId} ${keyOf(name)}`),
    async stop() {
      clearTimeout(timer);
      // This also waits for flushes that have started, because the storage is closed next.
      await Promise.allSettled([...new Set([...pending.keys(), ...flushing.keys()])].map(flush));
    },
  };
}

/** A property can be beyond the limit of unproven pages and still within the limit of the backend. */
function rejectedKey(accountId: string, one: SeenProperty): string {
  return `${accountId} ${one.isUnproven ? 'unproven ' : ''}${keyOf(one)}`;
}

function keyOf({ kind, prop }: { kind: string; prop: string }): string {
  return `${kind} ${prop}`;
}

/**
 * Drops samples whose owner was deleted in the meantime: they must not come back. The owners are kept until the end of
 * the transaction, so a deletion is either visible here or waits. Other writes do not wait.
 */
async function dropOrphanedSamples(
  deps: Dependencies,
  db: Db,
  accountId: string,
  seen: readonly SeenProperty[],
): Promise<SeenProperty[]> {
  const profiles = await keepOwners(deps, db, accountId, 'profiles', seen);
  const companies = await keepOwners(deps, db, accountId, 'companies', seen);
  return seen.map((one) => {
    const owners = one.kind === 'company' ? companies : profiles;
    return { ...one, samples: one.samples.filter(({ of }) => owners.has(of)) };
  });
}

async function keepOwners(
  { storage }: Dependencies,
  db: Db,
  accountId: string,
  table: 'companies' | 'profiles',
  seen: readonly SeenProperty[],
): Promise<Set<string>> {
  const ofTable = seen.filter(({ kind }) => (kind === 'company') === (table === 'companies'));
  const ids = [...new Set(ofTable.flatMap(({ samples }) => samples.map(({ of }) => of)))].sort();
  const found = new Set<string>();
  for (let at = 0; at < ids.length; at += BATCH_SIZE) {
    const batch = ids.slice(at, at + BATCH_SIZE);
    const query = db
      .selectFrom(table)
      .select('id')
      .where('account_id', '=', accountId)
      .where('id', 'in', batch)
      .orderBy('id');
    for (const { id } of await storage.dialect.keepRows(query).execute()) found.add(id);
  }
  return found;
}

/**
 * Finds the deleted names that a new event brings back: the name of an event is deleted with the last user who had it. Names from
 * unproven pages are registered by the next event, with their limits.
 */
async function findDeletedNames(db: Db, accountId: string, seen: readonly SeenProperty[]): Promise<SeenProperty[]> {
  const names = seen.filter(
    ({ kind, samples, isUnproven }) => kind === 'event_name' && samples.length > 0 && !isUnproven,
  );
  if (names.length === 0) return [];
  const rows = await db
    .selectFrom('properties')
    .select('prop')
    .where('account_id', '=', accountId)
    .where('kind', '=', 'event_name')
    .where(
      'prop',
      'in',
      names.map(({ prop }) => prop),
    )
    .execute();
  const stored = new Set(rows.map(({ prop }) => prop));
  return names.filter(({ prop }) => !stored.has(prop));
}

/**
 * Finds the new properties that exceed the limit of their source. A new name that an unproven page sends takes the place of one that
 * unproven pages of only one user have sent: otherwise a few page loads with invented keys would use up all names.
 */
async function makeRoom(
  ctx: Context,
  seen: readonly SeenProperty[],
): Promise<{ tooMany: Set<SeenProperty>; replaced: { kind: string; prop: string }[] }> {
  const { id: accountId } = ctx.account;
  const props = seen.map(({ prop }) => prop);
  const rows = await ctx.db
    .selectFrom('properties')
    .select(['kind', 'prop'])
    .where('account_id', '=', accountId)
    .where('prop', 'in', props)
    .execute();
  const stored = new Set(rows.map(keyOf));
  const fresh = seen.filter((one) => !stored.has(keyOf(one)));
  const [first] = fresh;
  if (!first) return { tooMany: new Set(), replaced: [] };
  if (!first.isUnproven) {
    const room = MAX_REGISTERED_NAMES - (await countNames(ctx, first.integration));
    return { tooMany: new Set(fresh.slice(Math.max(0, room))), replaced: [] };
  }
  // Other transactions that make room at the same time wait, so that no two replace the same names.
  await ctx.clock();
  const { pageCounts } = ctx.app;
  const counter = seen.some((one) => isOfKnownUser(one, ctx.now())) ? 'known_names' : 'names';
  const today = Math.min(fresh.length, Math.max(0, MAX_NEW_UNPROVEN_NAMES - pageCounts.countToday(accountId, counter)));
  const room = Math.max(0, MAX_UNPROVEN_NAMES - (await countNames(ctx)));
  const replaced = await deleteReplaceable(ctx, today - room);
  const accepted = Math.min(today, room + replaced.length);
  if (accepted > 0) pageCounts.add(accountId, counter, accepted);
  return { tooMany: new Set(fresh.slice(accepted)), replaced };
}

function isOfKnownUser({ kind, samples }: SeenProperty, now: Millis): boolean {
  return kind !== 'company' && samples.some(({ of }) => wasSeenBefore(timeOfId(of), now));
}

/** Counts the names of a source; without a source, the names that only unproven pages have sent. */
async function countNames({ db, account }: Context, integration?: string): Promise<number> {
  const names = db
    .selectFrom('properties')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', account.id);
  const counted =
    integration === undefined
      ? names.where('unproven', 'is not', null)
      : names.where('integration', '=', integration).where('unproven', 'is', null);
  return Number((await counted.executeTakeFirstOrThrow()).count);
}

/** Deletes up to so many names that unproven pages of one user have sent, and that no administrator has changed. */
async function deleteReplaceable({ db, account }: Context, count: number): Promise<{ kind: string; prop: string }[]> {
  if (count <= 0) return [];
  const rows = await db
    .selectFrom('properties')
    .select(['id', 'kind', 'prop'])
    .where('account_id', '=', account.id)
    .where('unproven', '=', 'once')
    .orderBy('last_seen_at')
    .orderBy('id')
    .limit(count)
    .execute();
  if (rows.length > 0)
    await db
      .deleteFrom('properties')
      .where('account_id', '=', account.id)
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
      .execute();
  return rows;
}

async function insert(clock: AccountClock, db: Db, seen: readonly SeenProperty[]): Promise<void> {
  const rows = seen.map(({ kind, prop, name = prop, integration, isUnproven, at }) => {
    const created = { ...clock.newRow(), name, description: null, unproven: isUnproven ? ('once' as const) : null };
    return { ...created, kind, prop, integration, last_seen_at: at, types: '[]', samples: '[]' };
  });
  await db
    .insertInto('properties')
    .values(rows)
    .onConflict((taken) => taken.columns(['account_id', 'kind', 'prop']).doNothing())
    .execute();
}

/** Updates the registered Properties, and returns the seen ones that are not registered. */
async function update(
  { storage }: Dependencies,
  db: Db,
  accountId: string,
  seen: readonly SeenProperty[],
): Promise<SeenProperty[]> {
  const byName = new Map(seen.map((one) => [keyOf(one), one]));
  const query = db
    .selectFrom('properties')
    .select(['id', 'updated_at', 'name', 'kind', 'prop', 'integration', 'last_seen_at', 'types', 'samples', 'unproven'])
    .select('event_facts')
    .where('account_id', '=', accountId)
    .where(
      'prop',
      'in',
      seen.map(({ prop }) => prop),
    )
    .orderBy('id');
  const rows = seen.length === 0 ? [] : await storage.dialect.lockRows(query).execute();
  const changed = rows.flatMap((row) => {
    const one = byName.get(keyOf(row));
    if (!one) return [];
    const { types, samples, facts = row.event_facts } = mergeSeenValues({ ...row, ...factsOf(row) }, one);
    const last_seen_at = laterOf(row.last_seen_at, one.at);
    const integration = row.integration ?? one.integration;
    const unproven = mergeUnprovenUse(row, one);
    return {
      ...row,
      last_seen_at,
      integration,
      unproven,
      types: JSON.stringify(types),
      samples: JSON.stringify(samples),
      event_facts: facts && JSON.stringify(facts),
    };
  });
  if (changed.length > 0) await storage.dialect.upsert(db, accountId, seenUpsert, changed);
  const found = new Set(rows.map(keyOf));
  return seen.filter((one) => !found.has(keyOf(one)));
}

/** One statement for all rows: one per row would take seconds for an account with thousands of Properties. */
const seenUpsert: Upsert = {
  table: 'properties',
  columns: {
    id: 'text',
    updated_at: 'bigint',
    name: 'text',
    kind: 'text',
    prop: 'text',
    integration: 'text',
    last_seen_at: 'bigint',
    types: 'jsonb',
    samples: 'jsonb',
    unproven: 'text',
    event_facts: 'jsonb',
  },
  changes: ['integration', 'last_seen_at', 'types', 'samples', 'unproven', 'event_facts'],
};

function factsOf({ event_facts }: { event_facts: EventFacts | null }) {
  return event_facts ? { facts: event_facts } : {};
}
