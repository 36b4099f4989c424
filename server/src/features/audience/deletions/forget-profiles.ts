import type { Filter } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { addUseCounts, readUseCounts } from '../../results/counts/use-counts.ts';
import { subtractProfiles } from '../counts/count-all-profiles.ts';
import { findEventNamesOnlyOf, removeEventNames } from '../event-names/remove-event-names.ts';
import type { ImportRow } from '../import-files/import-rows.ts';
import { removeFromImports } from '../import-files/remove-users.ts';
import { removeSamples } from '../properties/remove-samples.ts';
import { hashProfileId } from './deletion-log.ts';
import { detachIdempotencyKeys } from './detach-idempotency-keys.ts';
import type { User } from './forgotten.ts';
import { profileUseTables } from './profile-tables.ts';
import { recordDeletions } from './record-deletions.ts';
import { buildFilterScrubber, removeFromSegments } from './remove-from-segments.ts';
import { removeFromTestEmails } from './remove-from-test-emails.ts';
import { removeMerged } from './remove-merged.ts';
import { buildNameScrubber } from './scrub-name.ts';

type ProfileRow = Selectable<Schema['profiles']>;

/**
 * Deletes profiles, which the transaction has locked after the imports, and everything about them. Returns the IDs of the Deletions. After
 * the commit, the deletion log of the account must be written.
 * @param deletionIds of profiles that were forgotten before, and came back with a backup
 * @param importId of the import that does this. Its own file is deleted at its end
 */
export async function forgetProfiles(
  ctx: Context,
  rows: readonly Pick<ProfileRow, 'id' | 'uid' | 'email'>[],
  deletionIds: readonly string[] = [],
  importId?: string,
): Promise<string[]> {
  if (rows.length === 0) return [];
  const mergedIds = await deleteProfiles(ctx, rows, importId);
  const recordOf = (name: string, id: string, deletionId?: string) => ({
    name: `profile ${name}`,
    profile_hash: hashProfileId(ctx.account.id, id),
    id: deletionId,
  });
  // A backup and exported files may have the anonymous profiles that became a part of these.
  const recorded = await recordDeletions(ctx, [
    ...rows.map(({ id, uid }, at) => recordOf(uid, id, deletionIds[at])),
    ...mergedIds.map((id) => recordOf(id, id)),
  ]);
  return recorded.slice(0, rows.length);
}

/**
 * The part of `forgetProfiles` that deletes. Anonymous profiles that are too old leave no Deletion. Returns the IDs of anonymous profiles that
 * became a part of these, as far as they are known.
 */
export async function deleteProfiles(
  ctx: Context,
  rows: readonly Pick<ProfileRow, 'id' | 'uid' | 'email'>[],
  importId?: string,
): Promise<string[]> {
  const ids = rows.map(({ id }) => id);
  const eventNames = await findEventNamesOnlyOf(ctx, ids);
  const counts = await readUseCounts(ctx, ids);
  // Sample data locks this number before it takes the clock of the account, so this does, too.
  await subtractProfiles(ctx, ids);
  await detachIdempotencyKeys(ctx, ids);
  // A page that was open at sign-in may have added to what the anonymous profile had.
  const mergedIds = await removeMerged(ctx, ids);
  const owners = [...ids, ...mergedIds];
  for (const table of ['deliveries', 'picks', ...profileUseTables] as const)
    await ctx.db.deleteFrom(table).where('account_id', '=', ctx.account.id).where('profile_id', 'in', owners).execute();
  const uids = rows.map(({ uid }) => uid);
  // Rejected page loads name the user by the uid that the page sent.
  await ctx.db
    .deleteFrom('installation_entries')
    .where('account_id', '=', ctx.account.id)
    .where('uid', 'in', uids)
    .execute();
  await removeFromSegments(ctx, rows);
  await removeFromImports(ctx, rows, buildImportScrubber(rows), importId);
  await removeEventNames(ctx, eventNames);
  await removeSamples(ctx, ['profile', 'event', 'event_name'], owners);
  await ctx.db.deleteFrom('profiles').where('account_id', '=', ctx.account.id).where('id', 'in', ids).execute();
  await removeFromTestEmails(ctx, rows);
  await addUseCounts(ctx, counts, -1);
  return mergedIds;
}

function buildImportScrubber(rows: readonly User[]) {
  const scrub = buildFilterScrubber(rows);
  const scrubName = buildNameScrubber(rows);
  return ({ name, filters }: ImportRow) => {
    const scrubbed: Filter[] = scrub(filters);
    const isNamed = JSON.stringify(scrubbed) !== JSON.stringify(filters);
    return { name: scrubName(name, isNamed), filters: scrubbed };
  };
}
