import { keysOf, recordOf, type SampleData, type SampleType, toTimestampOrNull } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { sampleProfiles } from './sample-profiles.ts';

/** The demo site that comes with the server creates Experiences with such names, and profiles with such uids. */
export const DEMO_NAME = 'Demo: ';
const DEMO_UID = 'demo-';
const DEMO_COMPANY = 'harbor-studio';

const types = {
  profiles: 'profile',
  companies: 'company',
  segments: 'segment',
  experiences: 'experience',
  tags: 'tag',
  properties: 'property',
  url_groups: 'url_group',
  urls: 'url',
} as const satisfies Record<keyof SampleData['counts'], SampleType>;

export async function showSampleData(ctx: Context): Promise<SampleData> {
  const rows = await ctx.db
    .selectFrom('sample_records')
    .select(({ fn }) => ['type', fn.countAll<number>().as('count'), fn.max('at').as('at')])
    .where('account_id', '=', ctx.account.id)
    .groupBy('type')
    .execute();
  const loaded = rows.find(({ type }) => type === 'sample_data');
  const counts = recordOf(keysOf(types), (name) => Number(rows.find((row) => row.type === types[name])?.count ?? 0));
  return {
    loaded_at: toTimestampOrNull(loaded?.at ?? null),
    can_load: !loaded && !(await hasSampleUids(ctx)),
    is_account_empty: await isEmptyAccount(ctx),
    counts,
    experience_ids: await findExperiences(ctx),
  };
}

async function findExperiences(ctx: Context): Promise<string[]> {
  const rows = ctx.db.selectFrom('sample_records').select('id').where('account_id', '=', ctx.account.id);
  return (await rows.where('type', '=', 'experience').orderBy('id').execute()).map(({ id }) => id);
}

/** Whether somebody has sent a user or a Company with a uid of the sample. Removing the sample would delete them. */
export async function hasSampleUids({ db, account }: Context): Promise<boolean> {
  const uids = {
    profiles: sampleProfiles.map(({ uid }) => uid),
    companies: [...new Set(sampleProfiles.map(({ company }) => company.uid))],
  };
  for (const table of ['profiles', 'companies'] as const) {
    const records = db.selectFrom(table).select('id').where('account_id', '=', account.id);
    if (await records.where('uid', 'in', uids[table]).limit(1).executeTakeFirst()) return true;
  }
  return false;
}

/** Whether the account has no users, Experiences, Companies or Segments of its own. Records of the demo do not count. */
async function isEmptyAccount(ctx: Context): Promise<boolean> {
  const { db, dialect, account } = ctx;
  const name = dialect.json.text(sql.ref('draft'), ['name']);
  const profiles = db.selectFrom('profiles').where('uid', 'not like', `${DEMO_UID}%`);
  const experiences = db.selectFrom('experiences').where(name, 'not like', `${DEMO_NAME}%`);
  for (const records of [
    profiles.where('account_id', '=', account.id),
    experiences.where('account_id', '=', account.id),
    db.selectFrom('companies').where('account_id', '=', account.id).where('uid', '<>', DEMO_COMPANY),
    db.selectFrom('segments').where('account_id', '=', account.id),
  ])
    if (await (records as typeof profiles).select('id').limit(1).executeTakeFirst()) return false;
  return true;
}
