import { dayOf, type Millis, memoize, toVisitedPath } from '@usher/domain';
import { forEachAccount } from '../db/for-each-account.ts';
import type { Db, Storage } from '../db/storage.ts';

declare module '../context.ts' {
  interface AppContext {
    /** Which paths users visit. */
    readonly visitedPaths: VisitedPaths;
  }
}

const FLUSH_DELAY_MS = 5000;
const RETENTION_DAYS = 14;
/** How many different paths are kept for each account and day. */
const MAX_PATHS_PER_DAY = 1000;
/**
 * How many paths all accounts together keep in memory. A page that invents paths cannot take more memory: further paths
 * are dropped until the next write.
 */
const MAX_PENDING = 20_000;
const ROWS_PER_STATEMENT = 200;

interface PendingPath {
  day: number;
  host: string;
  path: string;
  count: number;
  last_seen_at: Millis;
}

/** Memoized, because most page loads are of the same few addresses. */
const pathAt = memoize(toVisitedPath);

/**
 * Records which paths users visit. A page load only increments a number in memory; the numbers are written every few
 * seconds. Nothing of the user is recorded, and of the address only the host and the harmless parts of the path.
 */
export class VisitedPaths {
  readonly #storage: Storage;
  readonly #now: () => Millis;
  /** The paths that are not written yet, by account, then by day, host and path. */
  readonly #pending = new Map<string, Map<string, PendingPath>>();
  #pendingCount = 0;
  readonly #writing = new Map<string, Promise<void>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(storage: Storage, now: () => Millis) {
    this.#storage = storage;
    this.#now = now;
  }

  /** How many paths are in memory. */
  get size(): number {
    return this.#pendingCount;
  }

  add(accountId: string, host: string, href: string): void {
    const path = pathAt(href);
    if (path === undefined) return;
    const now = this.#now();
    const day = dayOf(now);
    const paths = this.#pending.get(accountId) ?? new Map<string, PendingPath>();
    const key = `${day} ${host}${path}`;
    const known = paths.get(key);
    if (known) {
      known.count += 1;
      known.last_seen_at = now;
      return;
    }
    if (paths.size >= MAX_PATHS_PER_DAY || this.#pendingCount >= MAX_PENDING) return;
    paths.set(key, { day, host, path, count: 1, last_seen_at: now });
    this.#pending.set(accountId, paths);
    this.#pendingCount += 1;
    this.#flushSoon();
  }

  /** Everything added before the call is written when it resolves, or lost if that fails. */
  flush(accountId: string): Promise<void> {
    const before = this.#writing.get(accountId) ?? Promise.resolve();
    const writing = before.catch(() => {}).then(() => this.#write(accountId));
    this.#writing.set(accountId, writing);
    return writing.finally(() => {
      if (this.#writing.get(accountId) === writing) this.#writing.delete(accountId);
    });
  }

  /** Deletes paths that are older than 14 days, and all paths of accounts that no longer record any. */
  async sweep(): Promise<void> {
    await forEachAccount(this.#storage, (id, { record_paths }) =>
      this.#storage.write(
        id,
        async (db) => {
          const all = db.deleteFrom('visited_paths').where('account_id', '=', id);
          const old = dayOf(this.#now()) - RETENTION_DAYS;
          await (record_paths ? all.where('day', '<=', old) : all).execute();
        },
        { isLong: true },
      ),
    );
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#flushAll();
  }

  async #write(accountId: string): Promise<void> {
    const paths = [...(this.#pending.get(accountId)?.values() ?? [])];
    this.#pending.delete(accountId);
    this.#pendingCount -= paths.length;
    if (paths.length === 0) return;
    await this.#storage.write(accountId, async (db) => {
      if (!(await recordsPaths(db, accountId))) return;
      for (const day of new Set(paths.map((path) => path.day)))
        await writeDay(
          db,
          accountId,
          day,
          paths.filter((path) => path.day === day),
        );
    });
  }

  async #flushAll(): Promise<void> {
    await Promise.allSettled([...this.#pending.keys(), ...this.#writing.keys()].map((id) => this.flush(id)));
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(async () => {
      await this.#flushAll();
      this.#timer = undefined;
      if (this.#pending.size > 0) this.#flushSoon();
    }, FLUSH_DELAY_MS).unref();
  }
}

/** Reads the setting again, because it may have been turned off while paths were still in memory. */
async function recordsPaths(db: Db, accountId: string): Promise<boolean> {
  const account = db.selectFrom('accounts').select('record_paths').where('id', '=', accountId);
  return Boolean((await account.executeTakeFirst())?.record_paths);
}

/**
 * Counts known paths, and adds new ones. On a day without room, a new path takes the place of one that was visited no more often, so
 * that somebody who invents paths can neither push out the paths that users really visit, nor keep later paths out.
 */
async function writeDay(db: Db, account_id: string, day: number, paths: readonly PendingPath[]): Promise<void> {
  const stored = await db
    .selectFrom('visited_paths')
    .select(['host', 'path', 'count'])
    .where('account_id', '=', account_id)
    .where('day', '=', day)
    .orderBy('count')
    .orderBy('last_seen_at')
    .orderBy('host')
    .orderBy('path')
    .execute();
  const known = new Set(stored.map(({ host, path }) => host + path));
  const isKnown = ({ host, path }: PendingPath) => known.has(host + path);
  const uids = await findUids(
    db,
    account_id,
    paths.filter((path) => !isKnown(path)),
  );
  const added = merge(paths.filter((path) => !isKnown(path)).map((path) => withoutUids(path, uids)));
  const counted = merge([...paths.filter(isKnown), ...added.filter(isKnown)]);
  const isCounted = new Set(counted.map(({ host, path }) => host + path));
  const newcomers = added.filter((path) => !isKnown(path)).sort((one, other) => other.count - one.count);
  const room = Math.max(0, MAX_PATHS_PER_DAY - known.size);
  const leastVisited = stored.filter(({ host, path }) => !isCounted.has(host + path));
  const replaced = newcomers
    .slice(room)
    .flatMap(({ count }, at) => leastVisited.slice(at, at + 1).filter((row) => Number(row.count) <= count));
  await deletePaths(db, account_id, day, replaced);
  // All nodes write in the same order, so that they cannot deadlock.
  const rows = [...counted, ...newcomers.slice(0, room + replaced.length)].sort((one, other) =>
    one.host + one.path < other.host + other.path ? -1 : 1,
  );
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT)
    await db
      .insertInto('visited_paths')
      .values(rows.slice(start, start + ROWS_PER_STATEMENT).map((row) => ({ account_id, ...row })))
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'day', 'host', 'path']).doUpdateSet((eb) => ({
          count: eb('visited_paths.count', '+', eb.ref('excluded.count')),
          last_seen_at: eb.ref('excluded.last_seen_at'),
        })),
      )
      .execute();
}

async function deletePaths(
  db: Db,
  account_id: string,
  day: number,
  rows: readonly { host: string; path: string }[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const some = rows.slice(start, start + ROWS_PER_STATEMENT);
    await db
      .deleteFrom('visited_paths')
      .where('account_id', '=', account_id)
      .where('day', '=', day)
      .where(({ or, and }) => or(some.map(({ host, path }) => and({ host, path }))))
      .execute();
  }
}

/** Finds which parts of new paths are the uid of a user: a product may have the names of its users in its addresses. */
async function findUids(db: Db, accountId: string, paths: readonly PendingPath[]): Promise<Set<string>> {
  const parts = [...new Set(paths.flatMap(({ path }) => path.split('/')))].filter(
    (part) => part !== '' && part !== '*',
  );
  const found = new Set<string>();
  for (let start = 0; start < parts.length; start += ROWS_PER_STATEMENT) {
    const some = parts.slice(start, start + ROWS_PER_STATEMENT);
    const rows = await db
      .selectFrom('profiles')
      .select('uid')
      .where('account_id', '=', accountId)
      .where('uid', 'in', some)
      .execute();
    for (const { uid } of rows) found.add(uid);
  }
  return found;
}

function withoutUids(row: PendingPath, uids: ReadonlySet<string>): PendingPath {
  if (uids.size === 0) return row;
  const path = row.path
    .split('/')
    .map((part) => (uids.has(part) ? '*' : part))
    .join('/');
  return { ...row, path };
}

/** Adds up the counts of equal paths: one statement may change a row only once. */
function merge(rows: readonly PendingPath[]): PendingPath[] {
  const merged = new Map<string, PendingPath>();
  for (const row of rows) {
    const key = row.host + row.path;
    const same = merged.get(key);
    const last_seen_at = Math.max(row.last_seen_at, same?.last_seen_at ?? 0);
    merged.set(key, { ...row, count: row.count + (same?.count ?? 0), last_seen_at });
  }
  return [...merged.values()];
}
