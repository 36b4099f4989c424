import { addSeen, type SeenProperty } from '@usher/domain';
import type { Context, Discovery, World } from '../../context.ts';
import type { Db } from '../../db/storage.ts';

const WRITTEN_AFTER_MS = 1000;
/** More than a product has. Beyond it, a property is looked up again as if it were new. */
const MOST_KNOWN = 50_000;
const ROWS_AT_ONCE = 500;

type Ground = Pick<World, 'storage'>;

/**
 * Every property that profiles, companies and events have becomes a Property. One that was never seen before is stored
 * with the data that has it. Of the others nearly every request would change the row, and wait for it: so what is seen
 * of them is collected, and written together once a second. A crash loses at most that second of samples.
 */
export function createDiscovery(ground: Ground): Discovery {
  const { storage } = ground;
  const known = new Set<string>();
  const noted = new Map<string, Map<string, SeenProperty>>();
  const underWay = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  const add = (accountId: string, seen: readonly SeenProperty[]) => {
    const properties = noted.get(accountId) ?? new Map<string, SeenProperty>();
    noted.set(accountId, properties);
    for (const one of seen) {
      const before = properties.get(nameOf(one));
      properties.set(nameOf(one), before ? { ...one, ...addSeen(before, one) } : one);
    }
  };
  const writeNoted = async (accountId: string) => {
    const seen = [...(noted.get(accountId)?.values() ?? [])];
    noted.delete(accountId);
    for (let at = 0; at < seen.length; at += ROWS_AT_ONCE) {
      const some = seen.slice(at, at + ROWS_AT_ONCE);
      await storage
        .write(accountId, async (db) => {
          await update(ground, db, accountId, await withOwners(ground, db, accountId, some));
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

  return {
    knows: (accountId, seen) => seen.every((one) => isKnown(accountId, one)),
    async register(ctx, seen) {
      const fresh = seen.filter((one) => !isKnown(ctx.account.id, one));
      for (let at = 0; at < fresh.length; at += ROWS_AT_ONCE) {
        const some = fresh.slice(at, at + ROWS_AT_ONCE);
        await insert(ctx, some);
        await update(ground, ctx.db, ctx.account.id, some);
      }
    },
    note(accountId, seen) {
      if (seen.length === 0) return;
      if (known.size > MOST_KNOWN) known.clear();
      for (const one of seen) known.add(`${accountId} ${nameOf(one)}`);
      add(accountId, seen);
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
  ground: Ground,
  db: Db,
  accountId: string,
  seen: readonly SeenProperty[],
): Promise<SeenProperty[]> {
  const profiles = await keepOwners(ground, db, accountId, 'profiles', seen);
  const companies = await keepOwners(ground, db, accountId, 'companies', seen);
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
    for (const { id } of await storage.keepRows(query).execute()) found.add(id);
  }
  return found;
}

async function insert(ctx: Context, seen: readonly SeenProperty[]): Promise<void> {
  const clock = await ctx.clock();
  const rows = seen.map(({ kind, prop, integration, at }) => {
    const created = { ...clock.newRow(), name: prop, description: null };
    return { ...created, kind, prop, integration, last_seen_at: at, types: '[]', samples: '[]' };
  });
  await ctx.db
    .insertInto('properties')
    .values(rows)
    .onConflict((taken) => taken.columns(['account_id', 'kind', 'prop']).doNothing())
    .execute();
}

async function update({ storage }: Ground, db: Db, accountId: string, seen: readonly SeenProperty[]): Promise<void> {
  const byName = new Map(seen.map((one) => [nameOf(one), one]));
  const query = db
    .selectFrom('properties')
    .select(['id', 'kind', 'prop', 'integration', 'last_seen_at', 'types', 'samples'])
    .where('account_id', '=', accountId)
    .where(
      'prop',
      'in',
      seen.map(({ prop }) => prop),
    )
    .orderBy('id');
  for (const row of seen.length === 0 ? [] : await storage.lockRows(query).execute()) {
    const one = byName.get(nameOf(row));
    if (!one) continue;
    const { types, samples } = addSeen(row, one);
    await db
      .updateTable('properties')
      .set({
        types: JSON.stringify(types),
        samples: JSON.stringify(samples),
        last_seen_at: Math.max(row.last_seen_at ?? 0, one.at),
        integration: row.integration ?? one.integration,
      })
      .where('account_id', '=', accountId)
      .where('id', '=', row.id)
      .execute();
  }
}
