import { firstIdAt } from '@usher/domain';
import type { AppContext } from '../../context.ts';
import { forEachAccount } from '../../db/for-each-account.ts';
import type { Db } from '../../db/storage.ts';

const DAY_MS = 24 * 60 * 60_000;

/**
 * Deletes Changes after some days. Of an Experience or a theme it keeps those since the version that is live or paused, will be live, or
 * was published last: they lead from there to the draft. Of one that was never published it keeps all, and of a deleted one
 * the Change that deleted it, because timelines show its name.
 * @param keepDays undefined keeps them for good
 */
export async function sweepChanges({ storage, now }: AppContext, keepDays: number | undefined): Promise<void> {
  if (keepDays === undefined) return;
  const end = firstIdAt(now() - keepDays * DAY_MS);
  await forEachAccount(storage, async (accountId) => {
    let after: string | undefined = '';
    while (after !== undefined) {
      const range = { from: after, end, max: storage.dialect.rowsPerWrite };
      const found: Found = await findOld(storage.reader(accountId), accountId, range);
      // Most are kept, and then other writers need not wait.
      if (found.old.length > 0) await storage.write(accountId, (db) => deleteOld(db, accountId, range));
      after = found.last;
    }
  });
}

interface Range {
  from: string;
  end: string;
  max: number;
}

interface Found {
  old: { id: string; experience_id: string }[];
  /** The last Change that was looked at; undefined if there are no more. */
  last: string | undefined;
}

async function findOld(db: Db, accountId: string, { from, end, max }: Range): Promise<Found> {
  const changes = await db
    .selectFrom('changes')
    .select(['id', 'write_id', 'experience_id', 'model_id', 'op'])
    .where('account_id', '=', accountId)
    .where('id', '>', from)
    .where('id', '<', end)
    .orderBy('id')
    .limit(max)
    .execute();
  const firstKept = await findFirstKept(db, accountId, [...new Set(changes.map((change) => change.experience_id))]);
  const isOld = ({ write_id, experience_id, model_id, op }: (typeof changes)[number]) => {
    const first = firstKept.get(experience_id);
    return first === undefined ? op !== 'destroy' || model_id !== experience_id : write_id < first;
  };
  return { old: changes.filter(isOld), last: changes.at(-1)?.id };
}

/** Looks again, because an older version may have become live meanwhile. */
async function deleteOld(db: Db, accountId: string, range: Range): Promise<void> {
  const { old } = await findOld(db, accountId, range);
  if (old.length === 0) return;
  const ids = old.map(({ id }) => id);
  const experienceIds = [...new Set(old.map((change) => change.experience_id))];
  await db.deleteFrom('changes').where('account_id', '=', accountId).where('id', 'in', ids).execute();
  await db
    .deleteFrom('change_properties')
    .where('account_id', '=', accountId)
    .where('experience_id', 'in', experienceIds)
    .where('change_id', 'in', ids)
    .execute();
}

/** Returns the first write that is kept of each Experience and theme that exists. */
async function findFirstKept(db: Db, accountId: string, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const experiences = await db
    .selectFrom('experiences')
    .select(['id', 'version_id', 'next_version_id', 'paused_version_id'])
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .execute();
  const themes = await db
    .selectFrom('themes')
    .select(['id', 'version_id'])
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .execute();
  const versions = await db
    .selectFrom('versions')
    .select(['id', 'experience_id', 'change_id'])
    .where('account_id', '=', accountId)
    .where('experience_id', 'in', ids)
    .orderBy('id')
    .execute();
  return new Map(
    [...experiences, ...themes].map(({ id, ...row }) => {
      const own = versions.filter(({ experience_id }) => experience_id === id);
      const used: unknown[] = [...Object.values(row), own.at(-1)?.id];
      const writes = own.filter((version) => used.includes(version.id)).map(({ change_id }) => change_id);
      return [id, writes.sort()[0] ?? ''];
    }),
  );
}
