import { MAX_REGISTERED_PROPERTIES, mergeSeenValues, type SeenProperty } from '@usher/domain';
import type { AppContext, PropertyRegistry } from '../../context.ts';
import { type AccountClock, takeClock } from '../../db/account-clock.ts';
import type { Upsert } from '../../db/bulk-rows.ts';
import type { Db } from '../../db/storage.ts';

const WRITTEN_AFTER_MS = 1000;
/** More than a product has. Beyond it, a property is looked up again as if it were new. */
const MAX_KNOWN = 50_000;
const ROWS_AT_ONCE = 500;
/** Someone may have made a Property of it by hand meanwhile. */
const LEFT_OUT_FOR_MS = 60_000;

type Ground = Pick<AppContext, 'storage' | 'now'>;

/**
 * Every property that profiles, companies and events have becomes a Property. One that was never seen before is stored
 * with the data that has it. Of the others nearly every request would change the row, and wait for it: so what is seen
 * of them is collected, and written together once a second. A crash loses at most that second of samples.
 */
export function createPropertyRegistry(deps: Ground): PropertyRegistry {
  const { storage } = deps;
  const known = new Set<string>();
  /** What became no Property as there are too many, and until when that is not looked at again. */
  const leftOut = new Map<string, number>();
  const noted = new Map<string, Map<string, SeenProperty>>();
  const underWay = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  const add = (accountId: string, seen: readonly SeenProperty[]) => {
    const properties = noted.get(accountId) ?? new Map<string, SeenProperty>();
    noted.set(accountId, properties);
    for (const one of seen) {
      const before = properties.get(nameOf(one));
      properties.set(nameOf(one), before ? { ...one, ...mergeSeenValues(before, one) } : one);
    }
  };
  const writeNoted = async (accountId: string) => {
    const seen = [...(noted.get(accountId)?.values() ?? [])];
    noted.delete(accountId);
    for (let at = 0; at < seen.length; at += ROWS_AT_ONCE) {
      const some = seen.slice(at, at + ROWS_AT_ONCE);
      await storage
        .write(accountId, async (db) => {
          const owned = await withOwners(deps, db, accountId, some);
          const names = await goneNames(db, accountId, owned);
          if (names.length > 0) await insert(await takeClock(storage, db, accountId, deps.now()), db, names);
          await update(deps, db, accountId, owned);
        })
        .catch((error) => {
          add(accountId, seen.slice(at));
          throw error;
        });
    }
  };
  /** One after the other: whoever waits for it finds everything written that was noted before. */
  const flush = (accountId: string) => {
    const before = underWay.get(accountId) ?? Promise.resolve();
    const writing = before.catch(() => {}).then(() => writeNoted(accountId));
    underWay.set(accountId, writing);
    return writing.finally(() => {
      if (underWay.get(accountId) === writing) underWay.delete(accountId);
    });
  };
  const flushAll = () => Promise.allSettled([...noted.keys()].map(flush));
  const flushSoon = () => {
    timer ??= setTimeout(async () => {
      await flushAll();
      timer = undefined;
      if (noted.size > 0) flushSoon();
    }, WRITTEN_AFTER_MS).unref();
  };

  const isKnown = (accountId: string, one: SeenProperty) => known.has(`${accountId} ${nameOf(one)}`);
  const isLeftOut = (accountId: string, one: SeenProperty) =>
    leftOut.size > 0 && (leftOut.get(`${accountId} ${nameOf(one)}`) ?? 0) > deps.now();

  return {
    has: (accountId, seen) => seen.every((one) => isKnown(accountId, one) || isLeftOut(accountId, one)),
    async register(ctx, seen) {
      const { id } = ctx.account;
      const fresh = seen.filter((one) => !isKnown(id, one) && !isLeftOut(id, one));
      for (let at = 0; at < fresh.length; at += ROWS_AT_ONCE) {
        const some = fresh.slice(at, at + ROWS_AT_ONCE);
        const tooMany = await beyondLimit(ctx.db, id, some);
        const kept = tooMany.size === 0 ? some : some.filter((one) => !tooMany.has(one));
        if (kept.length > 0) {
          await insert(await ctx.clock(), ctx.db, kept);
          await update(deps, ctx.db, id, kept);
        }
        if (tooMany.size === 0) continue;
        if (leftOut.size > MAX_KNOWN) leftOut.clear();
        for (const one of tooMany) leftOut.set(`${id} ${nameOf(one)}`, deps.now() + LEFT_OUT_FOR_MS);
        ctx.app.pageCounts.add(id, 'properties_limit', tooMany.size);
      }
    },
    record(accountId, seen) {
      const noted = leftOut.size === 0 ? seen : seen.filter((one) => !isLeftOut(accountId, one));
      if (noted.length === 0) return;
      if (known.size > MAX_KNOWN) known.clear();
      for (const one of noted) known.add(`${accountId} ${nameOf(one)}`);
      add(accountId, noted);
      flushSoon();
    },
    flush,
    async stop() {
      clearTimeout(timer);
      // Also what is just being written: the storage closes next.
      await Promise.allSettled([...new Set([...noted.keys(), ...underWay.keys()])].map(flush));
    },
  };
}

function nameOf({ kind, prop }: { kind: string; prop: string }): string {
  return `${kind} ${prop}`;
}

/** A sample of someone who is gone by now must not come back. Whoever deletes waits for this, or was faster; those who write do not. */
async function withOwners(
  deps: Ground,
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
  { storage }: Ground,
  db: Db,
  accountId: string,
  table: 'companies' | 'profiles',
  seen: readonly SeenProperty[],
): Promise<Set<string>> {
  const mine = seen.filter(({ kind }) => (kind === 'company') === (table === 'companies'));
  const ids = [...new Set(mine.flatMap(({ samples }) => samples.map(({ of }) => of)))].sort();
  const found = new Set<string>();
  for (let at = 0; at < ids.length; at += ROWS_AT_ONCE) {
    const some = ids.slice(at, at + ROWS_AT_ONCE);
    const query = db.selectFrom(table).select('id').where('account_id', '=', accountId).where('id', 'in', some);
    for (const { id } of await storage.dialect.keepRows(query).execute()) found.add(id);
  }
  return found;
}

/** The name of an event goes with the last user who had it: those that the next one brings back. */
async function goneNames(db: Db, accountId: string, seen: readonly SeenProperty[]): Promise<SeenProperty[]> {
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

/** Those that are no Properties yet and can become none, as their source has made as many as it may. */
async function beyondLimit(db: Db, accountId: string, seen: readonly SeenProperty[]): Promise<Set<SeenProperty>> {
  const props = seen.map(({ prop }) => prop);
  const rows = await db
    .selectFrom('properties')
    .select(['kind', 'prop'])
    .where('account_id', '=', accountId)
    .where('prop', 'in', props)
    .execute();
  const stored = new Set(rows.map(nameOf));
  const fresh = seen.filter((one) => !stored.has(nameOf(one)));
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

async function update({ storage }: Ground, db: Db, accountId: string, seen: readonly SeenProperty[]): Promise<void> {
  const byName = new Map(seen.map((one) => [nameOf(one), one]));
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
    const one = byName.get(nameOf(row));
    if (!one) return [];
    const { types, samples } = mergeSeenValues(row, one);
    const last_seen_at = Math.max(row.last_seen_at ?? 0, one.at);
    const integration = row.integration ?? one.integration;
    return { ...row, last_seen_at, integration, types: JSON.stringify(types), samples: JSON.stringify(samples) };
  });
  if (changed.length > 0) await storage.dialect.upsert(db, accountId, seenUpsert, changed);
}

/** All rows at once: one by one, an account with thousands of Properties would take seconds. */
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
