import {
  CreateExperience,
  CreateSegment,
  compileReader,
  type Experience,
  type ExperienceFields,
  type Millis,
  SAMPLE_HOST,
  type SampleData,
  type SampleType,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { conflict, invalid } from '../../../errors.ts';
import { forgetProfileCount } from '../../audience/counts/count-all-profiles.ts';
import { createSegment } from '../../audience/segments/create-segment.ts';
import { writeInChunks } from '../../experiences/changes/record-changes.ts';
import { createExperience } from '../../experiences/create-experience.ts';
import { createTag } from '../../experiences/tags/create-tag.ts';
import { updateExperience } from '../../experiences/update-experience.ts';
import { loadTimeZone } from '../../results/counts/time-zone.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { createUrlGroup } from '../url-groups/create-url-group.ts';
import { createUrl } from '../urls/create-url.ts';
import { contextAt } from './context-at.ts';
import { SAMPLE_DAYS } from './plan-use.ts';
import { sampleDraft, sampleExperiences, sampleSegments, sampleTags } from './sample-experiences.ts';
import { hasSampleUids, showSampleData } from './show-sample-data.ts';
import { storeProfiles } from './store-profiles.ts';
import { UseRows } from './use-rows.ts';

const DAY_MS = 24 * 60 * 60_000;
const readExperience = compileReader<ExperienceFields>(CreateExperience);
const readSegment = compileReader<CreateSegment>(CreateSegment);

/**
 * Adds profiles, Experiences and what the profiles did in the last 30 days to an account. All of it is in an Environment of its
 * own, whose host has no pages, so no user of the customer ever sees it. Nothing is sent to webhooks.
 */
export async function loadSampleData(ctx: Context): Promise<SampleData> {
  await ctx.transaction(async (ctx) => {
    const now = ctx.now();
    await forgetProfileCount(ctx);
    await startLoading(ctx, now);
    if (await hasSampleUids(ctx))
      throw conflict('This account has users or Companies with the uids of the sample (`sample-…`): delete them first');
    const records = new Map<SampleType, string[]>();
    const ids = await storeSettings(contextAt(ctx, now - (SAMPLE_DAYS + 1) * DAY_MS), records);
    const experiences = await storeExperiences(ctx, ids, now);
    const { profiles, companyIds, propertyIds } = await storeProfiles(ctx, now);
    await storeUse(ctx, profiles, experiences);
    records.set(
      'experience',
      [...experiences.values()].map(({ id }) => id),
    );
    records.set(
      'profile',
      profiles.map(({ id }) => id),
    );
    records.set('company', companyIds).set('property', propertyIds);
    await storeRecords(ctx, records, now);
    await recordAudit(ctx, 'sample_data.load');
  });
  return showSampleData(ctx);
}

/** If two requests come at the same time, the second waits here until the first is done. */
async function startLoading(ctx: Context, at: Millis): Promise<void> {
  const started = await ctx.db
    .insertInto('sample_records')
    .values({ account_id: ctx.account.id, type: 'sample_data', id: '', at })
    .onConflict((loaded) => loaded.columns(['account_id', 'type', 'id']).doNothing())
    .returning('at')
    .executeTakeFirst();
  if (!started) throw conflict('Sample data is loaded already: remove it first');
}

/** Creates the Environment, its Url, Tags and Segments. Returns their IDs by key. */
async function storeSettings(ctx: Context, records: Map<SampleType, string[]>): Promise<Map<string, string>> {
  const environment = await createUrlGroup(ctx, {
    name: 'Sample',
    short_name: 'SMP',
    description: 'Sample data. It goes when you remove the sample data.',
    style_short_name_color: '8B5CF6',
  });
  await deleteRecordedUrl(ctx);
  const url = await createUrl(ctx, { host: SAMPLE_HOST, enabled: 'on', url_group_id: environment.id });
  const ids = new Map([['environment', environment.id]]);
  records.set('url_group', [environment.id]).set('url', [url.id]).set('tag', []).set('segment', []);
  for (const { key, name } of sampleTags) {
    const { id } = await createTag(ctx, { name, uid: `sample ${name}` });
    ids.set(key, id);
    records.get('tag')?.push(id);
  }
  for (const { key, ...params } of sampleSegments) {
    const { id } = await createSegment(ctx, read(readSegment, params, ctx));
    ids.set(key, id);
    records.get('segment')?.push(id);
  }
  return ids;
}

/**
 * A client can claim that its page is on this host, so a Url may exist already. No real page is on the host, because
 * its domain is reserved.
 */
async function deleteRecordedUrl(ctx: Context): Promise<void> {
  await ctx.db.deleteFrom('urls').where('account_id', '=', ctx.account.id).where('host', '=', SAMPLE_HOST).execute();
}

async function storeExperiences(ctx: Context, ids: Map<string, string>, now: Millis): Promise<Map<string, Experience>> {
  const stored = new Map<string, Experience>();
  for (const { key, days, params } of sampleExperiences) {
    // The Experience is created a minute before the first user sees it.
    const then = contextAt(ctx, now - days * DAY_MS - 10 * 60 * 60_000);
    const replaced = replaceKeys({ ...params, url_group_ids: ['@environment'], published_at: '$now' }, ids);
    const experience = await createExperience(then, key, read(readExperience, replaced, then));
    ids.set(key, experience.id);
    stored.set(key, experience);
  }
  const { key, days, params } = sampleDraft;
  const then = contextAt(ctx, now - days * DAY_MS);
  await updateExperience(then, key, ids.get(key) ?? '', params);
  return stored;
}

async function storeUse(
  ctx: Context,
  profiles: Awaited<ReturnType<typeof storeProfiles>>['profiles'],
  experiences: ReadonlyMap<string, Experience>,
): Promise<void> {
  const rows = new UseRows(ctx, await loadTimeZone(ctx));
  const tour = experiences.get('tour');
  for (const { id, reports, events } of profiles) {
    for (const report of reports.sort((one, other) => one.at - other.at)) {
      const experience = experiences.get(report.key);
      if (experience) rows.report(id, experience, report);
    }
    for (const { name, at } of events.sort((one, other) => one.at - other.at))
      if (tour && name === 'Project created') rows.meetGoal(id, tour.id, at);
  }
  await rows.write();
}

async function storeRecords(ctx: Context, records: ReadonlyMap<SampleType, string[]>, at: Millis): Promise<void> {
  const rows = [...records].flatMap(([type, ids]) => ids.map((id) => ({ account_id: ctx.account.id, type, id, at })));
  await writeInChunks(rows, (chunk) => ctx.db.insertInto('sample_records').values(chunk).execute());
}

function read<T>(reader: ReturnType<typeof compileReader<T>>, params: unknown, ctx: Context): T {
  const reading = reader(params, ctx.now());
  if ('problems' in reading) throw invalid(...reading.problems);
  return reading.value;
}

/** Replaces `@key` with the ID of the record that was created under that key. */
function replaceKeys(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return value.startsWith('@') ? (ids.get(value.slice(1)) ?? value) : value;
  if (Array.isArray(value)) return value.map((item) => replaceKeys(item, ids));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaceKeys(item, ids)]));
}
