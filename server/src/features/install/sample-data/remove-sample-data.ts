import { keysOf, recordOf, type SampleData, type SampleType, sampleTypes } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { ApiError, conflict } from '../../../errors.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { subtractProfiles } from '../../audience/counts/count-all-profiles.ts';
import { profileUseTables } from '../../audience/deletions/profile-tables.ts';
import { removeSamples } from '../../audience/properties/remove-samples.ts';
import { removeFromGroups } from '../../delivery/group-members/remove-from-groups.ts';
import { checkMayPublish } from '../../experiences/publish.ts';
import { experiencesOf } from '../../experiences/queries.ts';
import { removeInteractions } from '../../experiences/remove-use.ts';
import { addUseCounts, countTables, readUseCounts } from '../../results/counts/use-counts.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { findUses } from './find-uses.ts';
import { showSampleData } from './show-sample-data.ts';

const MAX_LISTED = 5;

export type SampleIds = Record<SampleType, string[]>;

/** The tables whose rows belong to an Experience: what users did with it, and how it was made. */
const experienceTables = [
  ...countTables,
  'experience_counts',
  'response_counts',
  ...([
    'answers',
    'response_tags',
    'responses',
    'findings',
    'failing_steps',
    'picks',
    'open_editors',
    'step_sketches',
  ] as const),
  ...(['versions', 'translations', 'experience_uses', 'captures', 'change_properties', 'changes'] as const),
];

/**
 * Deletes the sample data, with everything that belongs to it, in one transaction. Records that administrators made stay. If
 * one of these uses the sample, nothing is deleted and the error names it.
 */
export async function removeSampleData(ctx: Context): Promise<SampleData> {
  await ctx.transaction(
    async (ctx) => {
      const ids = await lockRecords(ctx);
      await lockRows(ctx, ids);
      // An administrator may have published an Experience of the sample to real users, so removing it needs the
      // permission to publish.
      await checkMayPublish(ctx);
      const uses = await findUses(ctx, ids);
      if (uses.length > 0) {
        const more = uses.length > MAX_LISTED ? ', and more' : '';
        const [first = '', ...others] = uses.slice(0, MAX_LISTED);
        const named = [first.charAt(0).toUpperCase() + first.slice(1), ...others].join('; ');
        throw conflict(`${named}${more}: change that first, then remove the sample data`);
      }
      await subtractProfiles(ctx, ids.profile);
      await ctx.clock();
      await deleteProfilesAndCompanies(ctx, ids);
      await deleteExperiences(ctx, ids);
      await deleteProperties(ctx, ids);
      for (const table of ['segments', 'tags', 'urls', 'url_groups'] as const)
        await deleteByIds(ctx, table, 'id', ids[typeOf[table]]);
      await ctx.db.deleteFrom('sample_records').where('account_id', '=', ctx.account.id).execute();
      await bumpPublishedVersion(ctx);
      await recordAudit(ctx, 'sample_data.remove');
    },
    { isLong: true },
  );
  return showSampleData(ctx);
}

const typeOf = { segments: 'segment', tags: 'tag', urls: 'url', url_groups: 'url_group' } as const;

/** If two requests come at the same time, the second waits here, and then finds nothing. */
async function lockRecords(ctx: Context): Promise<SampleIds> {
  const records = () => ctx.db.selectFrom('sample_records').selectAll().where('account_id', '=', ctx.account.id);
  const loaded = await ctx.dialect.lockRows(records().where('type', '=', 'sample_data')).executeTakeFirst();
  if (!loaded) throw new ApiError(404, ['There is no sample data in this account']);
  const ids = recordOf(sampleTypes, (): string[] => []);
  for (const { type, id } of await records().orderBy('id').execute()) ids[type].push(id);
  return ids;
}

/**
 * Locks the sample in the order of all other writes, before the clock of the account, so that nobody begins to use it
 * meanwhile.
 */
async function lockRows(ctx: Context, ids: SampleIds): Promise<void> {
  const { segments, tags, urls, url_groups } = typeOf;
  const users = { profiles: 'profile', companies: 'company' } as const;
  const order = { experiences: 'experience', ...users, segments, url_groups, tags, urls } as const;
  for (const table of keysOf(order)) {
    const type = order[table];
    if (ids[type].length === 0) continue;
    const rows = ctx.db
      .selectFrom(table as 'profiles')
      .select('id')
      .where('account_id', '=', ctx.account.id)
      .where('id', 'in', ids[type])
      .orderBy('id');
    await ctx.dialect.lockRows(rows).execute();
  }
}

async function deleteProfilesAndCompanies(ctx: Context, { profile, company }: SampleIds): Promise<void> {
  const counts = await readUseCounts(ctx, profile);
  for (const table of ['deliveries', 'picks', ...profileUseTables] as const)
    await deleteByIds(ctx, table, 'profile_id', profile);
  await addUseCounts(ctx, counts, -1);
  await deleteByIds(ctx, 'profiles', 'id', profile);
  // The customer may have sent a profile of their own with a Company of the sample.
  if (company.length > 0)
    await ctx.db
      .updateTable('profiles')
      .set({ company_id: null, updated_at: ctx.now() })
      .where('account_id', '=', ctx.account.id)
      .where('company_id', 'in', company)
      .execute();
  await deleteByIds(ctx, 'companies', 'id', company);
}

/** Also deletes the Changes, which are kept when an Experience is deleted in any other way. */
async function deleteExperiences(ctx: Context, { experience }: SampleIds): Promise<void> {
  await deleteByIds(ctx, 'deliveries', 'model_id', experience);
  for (const id of experience) await removeInteractions(ctx, id);
  for (const table of experienceTables) await deleteByIds(ctx, table, 'experience_id', experience);
  const stored = await experiencesOf(ctx)
    .where('id', 'in', experience.length > 0 ? experience : [''])
    .execute();
  for (const { id } of stored) await removeFromGroups(ctx, 'experience_ids', id);
  await deleteByIds(ctx, 'experiences', 'id', experience);
}

/** Keeps the Properties that other data has had since, without the values of the sample. */
async function deleteProperties(ctx: Context, { property, profile, company }: SampleIds): Promise<void> {
  await removeSamples(ctx, ['profile', 'event', 'event_name', 'company'], [...profile, ...company]);
  if (property.length === 0) return;
  await ctx.db
    .deleteFrom('properties')
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', property)
    .where((eb) =>
      eb(
        'last_seen_at',
        '<=',
        eb
          .selectFrom('sample_records')
          .select('at')
          .where('account_id', '=', ctx.account.id)
          .where('type', '=', 'sample_data'),
      ),
    )
    .execute();
}

type Table =
  | (typeof experienceTables)[number]
  | (typeof profileUseTables)[number]
  | keyof typeof typeOf
  | 'deliveries'
  | 'profiles'
  | 'companies'
  | 'experiences';

async function deleteByIds(
  ctx: Context,
  table: Table,
  column: 'id' | 'profile_id' | 'experience_id' | 'model_id',
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  // The type of one table stands for all: each has these two columns.
  await ctx.db
    .deleteFrom(table as 'deliveries')
    .where('account_id', '=', ctx.account.id)
    .where(column as 'id', 'in', ids)
    .execute();
}
