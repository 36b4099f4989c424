import {
  CreateAlertGroup,
  CreateGoal,
  CreateLimitGroup,
  CreateTag,
  CreateTheme,
  CreateUrl,
  CreateUrlGroup,
  compileReader,
  type Millis,
  type MoveStage,
  type ThemeInput,
} from '@usher/domain';
import type { Context } from '../../../../context.ts';
import { createAlertGroup } from '../../../delivery/alert-groups/create-alert-group.ts';
import { updateAlertGroup } from '../../../delivery/alert-groups/update-alert-group.ts';
import { createLimitGroup } from '../../../delivery/limit-groups/create-limit-group.ts';
import { updateLimitGroup } from '../../../delivery/limit-groups/update-limit-group.ts';
import { createGoal } from '../../../experiences/goals/create-goal.ts';
import { updateGoal } from '../../../experiences/goals/update-goal.ts';
import { createTag } from '../../../experiences/tags/create-tag.ts';
import { updateTag } from '../../../experiences/tags/update-tag.ts';
import { createTheme } from '../../../experiences/themes/create-theme.ts';
import { contextAt } from '../../sample-data/context-at.ts';
import { createUrlGroup } from '../../url-groups/create-url-group.ts';
import { updateUrlGroup } from '../../url-groups/update-url-group.ts';
import { createUrl } from '../../urls/create-url.ts';
import { describeConflict } from '../changed-on-both-sides.ts';
import { contextFor, stamp, timesOf } from '../context-for.ts';
import type { MoveRun } from '../move-run.ts';
import { findWritten, rememberWritten } from '../moved-settings.ts';
import { readNumber, readParams, readText, readTexts, readTime } from '../read-record.ts';
import type { SourceRecord } from '../source.ts';
import { knownExperiences } from './read-document.ts';

type Table =
  | 'url_groups'
  | 'urls'
  | 'tags'
  | 'themes'
  | 'limit_groups'
  | 'alert_groups'
  | 'segments'
  | 'goals'
  | 'webhooks'
  | 'properties';

type StoreRecord = (ctx: Context, record: SourceRecord, problems: string[]) => Promise<void>;

/** Stores the records that have changed in the other service since the last run, and their page in the dashboard. */
interface Changing {
  update: StoreRecord;
  pathOf(id: string): string;
}

/**
 * Stores the records of a short list, oldest first. A record that is here already is updated if it has changed there, and no one has edited
 * it here. Without `changing` it stays as it is.
 */
export async function moveList(
  run: MoveRun,
  stage: MoveStage,
  table: Table,
  records: readonly SourceRecord[],
  create: StoreRecord,
  changing?: Changing,
): Promise<void> {
  const progress = run.begin(stage);
  progress.total = records.length;
  for (const record of records)
    await run.storeOne(record.id, async (ctx, problems) => {
      const known = await findKnown(ctx, table, record.id);
      if (!known) await create(ctx, record, problems);
      else if (!changing || !(await updateKnown(ctx, stage, record, known.updated_at, changing, problems)))
        return false;
      if (changing) await rememberWritten(ctx, stage, record.id, timesOf(record).updatedAt);
      return true;
    });
  await run.finish();
}

/** Returns whether it was updated. */
async function updateKnown(
  ctx: Context,
  stage: MoveStage,
  record: SourceRecord,
  updatedAt: Millis,
  { update, pathOf }: Changing,
  problems: string[],
): Promise<boolean> {
  const written = await findWritten(ctx, stage, record.id);
  if (written === undefined || timesOf(record).updatedAt <= written) return false;
  if (updatedAt !== written) {
    problems.push(describeConflict(ctx, record, pathOf(record.id)));
    return false;
  }
  await update(contextAt(ctx, timesOf(record).updatedAt), record, problems);
  return true;
}

async function findKnown(ctx: Context, table: Table, id: string): Promise<{ updated_at: Millis } | undefined> {
  const rows = ctx.db
    // The type of one table stands for all: each has these columns.
    .selectFrom(table as 'tags')
    .select('updated_at')
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', id);
  return rows.executeTakeFirst();
}

const readTag = compileReader<CreateTag>(CreateTag);
const readUrlGroup = compileReader<CreateUrlGroup>(CreateUrlGroup);
const readUrl = compileReader<CreateUrl>(CreateUrl);
const readTheme = compileReader<ThemeInput & { name: string }>(CreateTheme);
const readAlertGroup = compileReader<CreateAlertGroup>(CreateAlertGroup);
const readGoal = compileReader<CreateGoal>(CreateGoal);
const readLimitGroup = compileReader<CreateLimitGroup>(CreateLimitGroup);

export async function moveUrlGroups(run: MoveRun): Promise<void> {
  const records = await run.source.listIfKnown('/v3/edit/url_groups', 'url_groups');
  const create: StoreRecord = async (ctx, record) => {
    await createUrlGroup(contextFor(ctx, record), readParams(readUrlGroup, record, ctx));
    await stamp(ctx, 'url_groups', record, { archived_at: readTime(record.archived_at) });
  };
  const update: StoreRecord = async (ctx, record) => {
    const archived_at = readTime(record.archived_at);
    await updateUrlGroup(ctx, record.id, {
      ...readParams(readUrlGroup, record, ctx),
      ...{ archived_at, urls_action_on_archive: 'ignore' },
    });
    await stamp(ctx, 'url_groups', record);
  };
  await moveList(run, 'url_groups', 'url_groups', records, create, { update, pathOf: () => 'domains' });
}

export async function moveUrls(run: MoveRun): Promise<void> {
  const records = await run.source.listIfKnown('/v3/edit/urls', 'urls');
  await moveList(run, 'urls', 'urls', records, async (ctx, record) => {
    await createUrl(contextFor(ctx, record), readParams(readUrl, record, ctx));
    await stamp(ctx, 'urls', record, {
      archived_at: readTime(record.archived_at),
      installed_at: readTime(record.installed_at),
      first_seen_at: readTime(record.first_seen_at),
      last_seen_at: readTime(record.last_seen_at),
    });
  });
}

export async function moveTags(run: MoveRun): Promise<void> {
  const records = await run.source.listIfKnown('/v3/edit/tags', 'tags');
  const create: StoreRecord = async (ctx, record) => {
    await createTag(contextFor(ctx, record), readParams(readTag, record, ctx));
    await stamp(ctx, 'tags', record, { last_seen_at: readTime(record.last_seen_at) });
  };
  const update: StoreRecord = async (ctx, record) => {
    await updateTag(ctx, record.id, readParams(readTag, record, ctx));
    await stamp(ctx, 'tags', record);
  };
  await moveList(run, 'tags', 'tags', records, create, { update, pathOf: () => 'experiences' });
}

export async function moveThemes(run: MoveRun): Promise<void> {
  const records = await run.source.listIfKnown('/v3/edit/themes', 'themes');
  await moveList(run, 'themes', 'themes', records, async (ctx, record) => {
    const params = readParams(readTheme, { ...record, published_at: undefined }, ctx);
    const publishedAt = readTime(record.published_at);
    // A theme is published at the time of the context.
    const then = contextFor(ctx, record, publishedAt ?? timesOf(record).createdAt);
    await createTheme(then, { ...params, ...(publishedAt !== null && { published_at: publishedAt }) } as typeof params);
    await stamp(ctx, 'themes', record);
  });
}

/** A goal may be a state of an Experience, which comes later. */
export async function moveGoals(run: MoveRun): Promise<void> {
  const records = await run.source.listIfKnown('/v3/edit/goals', 'goals');
  const read = (ctx: Context, record: SourceRecord) => readParams(readGoal, { ...record, archived_at: undefined }, ctx);
  const stampGoal = (ctx: Context, record: SourceRecord) =>
    stamp(ctx, 'goals', record, { archived_at: readTime(record.archived_at) });
  const create: StoreRecord = async (ctx, record) => {
    await createGoal(contextFor(ctx, record), read(ctx, record), { isMoved: true });
    await stampGoal(ctx, record);
  };
  const update: StoreRecord = async (ctx, record) => {
    await updateGoal(ctx, record.id, read(ctx, record));
    await stampGoal(ctx, record);
  };
  const pathOf = (id: string) => `settings/goals?goal=${id}`;
  await moveList(run, 'goals', 'goals', records, create, { update, pathOf });
}

export async function moveLimitGroups(run: MoveRun): Promise<void> {
  const records = await run.source.listIfKnown('/v3/edit/limit_groups', 'limit_groups');
  const create: StoreRecord = async (ctx, record, problems) => {
    await createLimitGroup(contextFor(ctx, record), await readLimits(ctx, record, problems));
    await stamp(ctx, 'limit_groups', record);
  };
  const update: StoreRecord = async (ctx, record, problems) => {
    await updateLimitGroup(ctx, record.id, await readLimits(ctx, record, problems));
    await stamp(ctx, 'limit_groups', record);
  };
  await moveList(run, 'limit_groups', 'limit_groups', records, create, { update, pathOf: () => 'settings/limits' });
}

async function readLimits(ctx: Context, record: SourceRecord, problems: string[]): Promise<CreateLimitGroup> {
  const params = {
    ...{ name: record.name, description: record.description, ...(await readMembers(ctx, record, problems)) },
    max_count: readNumber(record.max_count) ?? readNumber(record.rate_limit_size) ?? undefined,
    period_hours: readNumber(record.period_hours) ?? undefined,
    max_steps: readNumber(record.max_steps) ?? undefined,
    max_seconds: readNumber(record.max_seconds) ?? undefined,
    rate_limit_kind: readNumber(record.period_hours) === null ? record.rate_limit_kind : undefined,
  };
  return readParams(readLimitGroup, params, ctx);
}

export async function moveAlertGroups(run: MoveRun): Promise<void> {
  const records = await run.source.listIfKnown('/v3/edit/alert_groups', 'alert_groups');
  const stampGroup = (ctx: Context, record: SourceRecord) =>
    stamp(ctx, 'alert_groups', record, { last_notified_at: readTime(record.last_notified_at) });
  const create: StoreRecord = async (ctx, record, problems) => {
    await createAlertGroup(contextFor(ctx, record), await readAlerts(ctx, record, problems));
    await stampGroup(ctx, record);
  };
  const update: StoreRecord = async (ctx, record, problems) => {
    await updateAlertGroup(ctx, record.id, await readAlerts(ctx, record, problems));
    await stampGroup(ctx, record);
  };
  await moveList(run, 'alert_groups', 'alert_groups', records, create, { update, pathOf: () => 'settings/alerts' });
}

async function readAlerts(ctx: Context, record: SourceRecord, problems: string[]): Promise<CreateAlertGroup> {
  const { name, interval, style, published_at } = record;
  const params = { name, interval, style, published_at, ...(await readMembers(ctx, record, problems)) };
  return readParams(readAlertGroup, params, ctx);
}

/** Reads which Experiences a group is about. Experiences and Tags that are not here are left out. */
async function readMembers(ctx: Context, record: SourceRecord, problems: string[]) {
  const wanted = readTexts(record.experience_ids ?? record.campaign_ids);
  const known = await knownExperiences(ctx, wanted);
  const missing = wanted.filter((id) => !known.has(id));
  if (missing.length > 0) problems.push(`The Experiences ${missing.join(', ')} are not here, so they are left out`);
  const wantedTags = readTexts(record.tag_ids);
  const tags = await knownTags(ctx, wantedTags);
  if (tags.length < wantedTags.length) problems.push('It names Tags that are not here, so they are left out');
  // The kind is always written: without it, a group whose Experiences are missing would be about all of them.
  const kind = readText(record.kind) ?? (wanted.length > 0 ? 'campaigns' : wantedTags.length > 0 ? 'tags' : 'all');
  return {
    kind,
    ...(kind === 'campaigns' && { experience_ids: [...known] }),
    ...(kind === 'tags' && { tag_ids: tags }),
  };
}

async function knownTags(ctx: Context, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await ctx.db
    .selectFrom('tags')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', ids)
    .execute();
  const known = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => known.has(id));
}
