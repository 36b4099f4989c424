import { laterOf, MAX_REGISTERED_PROPERTIES, mergeSeenValues, type SeenProperty } from '@usher/domain';
import type { AppContext, PropertyRegistry } from '../../context.ts';
import { type AccountClock, takeClock } from '../../db/account-clock.ts';
import type { Upsert } from '../../db/bulk-rows.ts';
import type { Db } from '../../db/storage.ts';

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
      properties.set(keyOf(one), before ? { ...one, ...mergeSeenValues(before, one) } : one);
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
          await update(deps, db, accountId, owned);
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
    rejected.size > 0 && (rejected.get(`${accountId} ${keyOf(one)}`) ?? 0) > deps.now();

  return {
    has: (accountId, seen) => seen.every((one) => isCached(accountId, one) || isRejected(accountId, one)),
    async register(ctx, seen) {
      const { id } = ctx.account;
      const fresh = seen.filter((one) => !isCached(id, one) && !isRejected(id, one));
      for (let at = 0; at < fresh.length; at += BATCH_SIZE) {
        const batch = fresh.slice(at, at + BATCH_SIZE);
        const tooMany = await findBeyondLimit(ctx.db, id, batch);
        const kept = tooMany.size === 0 ? batch : batch.filter((one) => !tooMany.has(one));
        if (kept.length > 0) {
          await insert(await ctx.clock(), ctx.db, kept);
          await update(deps, ctx.db, id, kept);
        }
        if (tooMany.size === 0) continue;
        if (rejected.size > MAX_CACHED) rejected.clear();
        for (const one of tooMany) rejected.set(`${id} ${keyOf(one)}`, deps.now() + REJECTED_FOR_MS);
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
    async stop() {
      clearTimeout(timer);
      // This also waits for flushes that have started, because the storage is closed next.
      await Promise.allSettled([...new Set([...pending.keys(), ...flushing.keys()])].map(flush));
    },
  };
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
    const query = db.selectFrom(table).select('id').where('account_id', '=', accountId).where('id', 'in', batch);
    for (const { id } of await storage.dialect.keepRows(query).execute()) found.add(id);
  }
  return found;
}

/** The name of an event is deleted with the last user who had it. Finds the names that a new event brings back. */
async function findDeletedNames(db: Db, accountId: string, seen: readonly SeenProperty[]): Promise<SeenProperty[]> {
  const names = seen.filter(({ kind, samples }) => kind === 'event_name' && samples.length > 0);
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

/** Finds the new properties that exceed the limit of their source. */
async function findBeyondLimit(db: Db, accountId: string, seen: readonly SeenProperty[]): Promise<Set<SeenProperty>> {
  const props = seen.map(({ prop }) => prop);
  const rows = await db
    .selectFrom('properties')
    .select(['kind', 'prop'])
    .where('account_id', '=', accountId)
    .where('prop', 'in', props)
    .execute();
  const stored = new Set(rows.map(keyOf));
  const fresh = seen.filter((one) => !stored.has(keyOf(one)));
  const [first] = fresh;
  if (!first) return new Set();
  const { integration } = first;
  const { count } = await db
    .selectFrom('properties')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('integration', '=', integration)
    .executeTakeFirstOrThrow();
  return new Set(fresh.slice(Math.max(0, MAX_REGISTERED_PROPERTIES[integration] - Number(count))));
}

async function insert(clock: AccountClock, db: Db, seen: readonly SeenProperty[]): Promise<void> {
  const rows = seen.map(({ kind, prop, name = prop, integration, at }) => {
    const created = { ...clock.newRow(), name, description: null };
    return { ...created, kind, prop, integration, last_seen_at: at, types: '[]', samples: '[]' };
  });
  await db
    .insertInto('properties')
    .values(rows)
    .onConflict((taken) => taken.columns(['account_id', 'kind', 'prop']).doNothing())
    .execute();
}

async function update(
  { storage }: Dependencies,
  db: Db,
  accountId: string,
  seen: readonly SeenProperty[],
): Promise<void> {
  const byName = new Map(seen.map((one) => [keyOf(one), one]));
  const query = db
    .selectFrom('properties')
    .select(['id', 'updated_at', 'name', 'kind', 'prop', 'integration', 'last_seen_at', 'types', 'samples'])
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
    const { types, samples } = mergeSeenValues(row, one);
    const last_seen_at = laterOf(row.last_seen_at, one.at);
    const integration = row.integration ?? one.integration;
    return { ...row, last_seen_at, integration, types: JSON.stringify(types), samples: JSON.stringify(samples) };
  });
  if (changed.length > 0) await storage.dialect.upsert(db, accountId, seenUpsert, changed);
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
  },
  changes: ['integration', 'last_seen_at', 'types', 'samples'],
};
