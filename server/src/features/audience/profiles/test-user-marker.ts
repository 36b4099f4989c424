import { createTestUserRule, type MarkedProfile, type Millis, type TestUserRule } from '@usher/domain';
import type { Db, Storage } from '../../../db/storage.ts';
import { countMarks } from '../../results/counts/count-marks.ts';
import { createCountsContext } from '../../results/counts/recount-accounts.ts';

declare module '../../../context.ts' {
  interface AppContext {
    /** Marks profiles as test users when the patterns of their account have changed. */
    readonly testUserMarker: TestUserMarker;
  }
}

const PROFILES_PER_READ = 1000;
/** For more IDs, PostgreSQL without statistics reads the whole account. */
const PROFILES_PER_UPDATE = 50;
/** No transaction lasts so long. A transaction that began before the patterns changed may mark a profile by the old patterns. */
const SETTLED_MS = 60_000;

/**
 * Marks all profiles of an account after its patterns of test users have changed, in the background. What is left to do is in
 * the database: if the process stops in the middle, another one starts over. That is cheap, because only profiles that
 * change are written.
 */
export class TestUserMarker {
  readonly #storage: Storage;
  readonly #now: () => Millis;
  readonly #runs = new Map<string, Promise<void>>();
  #isStopped = false;

  constructor(storage: Storage, now: () => Millis) {
    this.#storage = storage;
    this.#now = now;
  }

  /** Call it after the commit of the patterns. If it fails, the next `resume` tries again. */
  start(accountId: string): void {
    this.#run(accountId).catch(() => {});
  }

  /** Marks the profiles of all accounts where that is not done. */
  async resume(): Promise<void> {
    const query = this.#storage.reader(null).selectFrom('accounts').select('id');
    const errors: unknown[] = [];
    for (const { id } of await query.where('test_emails_changed_at', 'is not', null).execute())
      await this.#run(id).catch((error) => errors.push(error));
    if (errors.length > 0) throw errors[0];
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.allSettled(this.#runs.values());
  }

  /** Runs at most once at a time for each account. */
  #run(accountId: string): Promise<void> {
    const before = this.#runs.get(accountId)?.catch(() => {}) ?? Promise.resolve();
    const run = before
      .then(() => this.#markUntilDone(accountId))
      .finally(() => {
        if (this.#runs.get(accountId) === run) this.#runs.delete(accountId);
      });
    this.#runs.set(accountId, run);
    return run;
  }

  async #markUntilDone(accountId: string): Promise<void> {
    while (!this.#isStopped) {
      const query = this.#storage
        .reader(null)
        .selectFrom('accounts')
        .select(['test_emails', 'test_emails_changed_at as changed', 'test_emails_marked_at as marked']);
      const account = await query.where('id', '=', accountId).executeTakeFirst();
      if (!account || account.changed === null) return;
      const { changed } = account;
      const isSettled = this.#now() >= changed + SETTLED_MS;
      if (account.marked === changed && !isSettled) return;
      if (!(await this.#markAll(accountId, createTestUserRule(account.test_emails)))) return;
      await this.#storage.write(null, (db) =>
        db
          .updateTable('accounts')
          .set({ test_emails_marked_at: changed, ...(isSettled && { test_emails_changed_at: null }) })
          .where('id', '=', accountId)
          .where('test_emails_changed_at', '=', changed)
          .execute(),
      );
    }
  }

  /** Returns false if it was stopped. */
  async #markAll(accountId: string, rule: TestUserRule): Promise<boolean> {
    for (let after = ''; ; ) {
      if (this.#isStopped) return false;
      const rows = await this.#storage
        .heavyReader(accountId)
        .selectFrom('profiles')
        .select(['id', 'email', 'test', 'is_test'])
        .where('account_id', '=', accountId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(PROFILES_PER_READ)
        .execute();
      const wrong = rows.filter((row) => rule(row) !== row.is_test).map(({ id }) => id);
      for (let start = 0; start < wrong.length; start += PROFILES_PER_UPDATE)
        await this.#correct(accountId, rule, wrong.slice(start, start + PROFILES_PER_UPDATE));
      const last = rows.at(-1);
      if (!last || rows.length < PROFILES_PER_READ) return true;
      after = last.id;
    }
  }

  /** Reads the profiles again under a lock: their emails may have changed. */
  async #correct(accountId: string, rule: TestUserRule, ids: readonly string[]): Promise<void> {
    await this.#storage.write(accountId, async (db) => {
      const lookup = {
        table: 'profiles' as const,
        key: 'id',
        names: ids,
        columns: ['id', 'email', 'test', 'is_test'] as const,
      };
      const rows = await this.#storage.dialect.lookUp<StoredMark>(db, accountId, lookup);
      const changed = rows
        .filter((row) => rule(row) !== row.is_test)
        .map(({ id, is_test }) => ({ id, is_test: !is_test }));
      await countMarks(createCountsContext(this.#storage, db, accountId, this.#now()), changed, async () => {
        for (const mark of [true, false])
          await setMarks(
            db,
            accountId,
            changed.filter(({ is_test }) => is_test === mark).map(({ id }) => id),
            mark,
          );
      });
    });
  }
}

type StoredMark = MarkedProfile & { id: string; is_test: boolean };

async function setMarks(db: Db, accountId: string, ids: readonly string[], is_test: boolean): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('profiles')
    .set({ is_test })
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .execute();
}
