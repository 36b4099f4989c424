import { randomBytes } from 'node:crypto';
import {
  AccountStepBudget,
  type CompiledEvent,
  type CompiledExperience,
  type Content,
  compileEvent,
  createTestUserRule,
  type GoalRule,
  type LimitGroup,
  type Millis,
  type PageSettings,
  type RunningExperiment,
  readMemberKind,
  toCondition,
} from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Schema } from '../db/schema.ts';
import type { Db, Storage } from '../db/storage.ts';
import { openKey, sealKey } from '../keys/account-keys.ts';
import type { SecretBox } from '../keys/secret-box.ts';
import { publicationColumns } from './publication.ts';
import type { PublishedAccount, PublishedUrl } from './published-account.ts';
import { type PublishedExperience, toPublishedExperience } from './published-experience.ts';
import { loadThemes } from './published-themes.ts';
import { createSchedule, type ScheduledExperience } from './schedule.ts';

const MAX_VERSIONS_PER_QUERY = 200;
const BYTES_PER_ACCOUNT = 10_000;
/** For each Experience, live or not, each host and each Segment. */
const BYTES_PER_ROW = 500;

/** Loads an account. Versions that are still published are taken from `before`, so that they are not prepared again. */
export async function loadAccount(
  storage: Storage,
  secretBox: SecretBox,
  id: string,
  now: Millis,
  before: LoadedAccount | undefined,
): Promise<LoadedAccount | undefined> {
  const db = storage.reader(id);
  // The version is read first, so that a change during the load makes the next page load read the account again.
  const version = await findVersion(db, id);
  const account = await findAccount(storage, secretBox, id);
  if (!account) return undefined;
  const settings = { allowScripts: account.allow_scripts, allowGlobals: account.allow_globals };
  const rows = await listExperiences(db, id);
  const scheduled = rows.filter(({ published_until }) => published_until === null || published_until > now);
  const versions = await loadVersions(db, id, scheduled, settings, before);
  const kinds = new Map(rows.map((row) => [row.id, row.kind]));
  const urls = await loadUrls(db, id);
  const segments = await loadSegments(db, id);
  const limitGroups = await listLimitGroups(db, id);
  const tagged = await loadTagged(db, id, limitGroups);
  const themes = await loadThemes(db, id, before?.themes);
  const surveyIds = new Map(rows.map(({ public_key, id }) => [public_key, id]));
  const prepared = [...versions.values(), ...new Set(themes?.values())];
  const pageEvents = await loadPageEvents(db, id);
  const small = pageEvents.length + kinds.size + urls.size + segments.segments.size;
  return {
    id,
    bytes: prepared.reduce((sum, { bytes }) => sum + bytes, BYTES_PER_ACCOUNT + BYTES_PER_ROW * small),
    version,
    token: account.token,
    visitKey: openKey(secretBox, account, 'visit_key') ?? '',
    requireUidHash: account.require_uid_hash,
    uidSecret: openKey(secretBox, account, 'uid_secret'),
    trustPages: account.trust_pages,
    anonymousUsers: account.anonymous_users,
    ...settings,
    allowPercent: account.allow_percent,
    recordPaths: account.record_paths,
    timeZone: account.time_zone,
    isTestUser: createTestUserRule(account.test_emails),
    watchedUntil: await findWatchedUntil(db, id),
    patternSteps: before?.patternSteps ?? new AccountStepBudget(),
    versions,
    kindOf: (experienceId) => kinds.get(experienceId),
    surveyIdOf: (key) => surveyIds.get(key),
    urls,
    pageEvents,
    themes,
    limitGroups,
    experiments: await listRunningExperiments(db, id),
    holdout: findHoldout(account),
    ...(await loadResponseCount(db, id, [...versions.values()])),
    hasTag: (experienceId, tagIds) => tagIds.some((tagId) => tagged.get(tagId)?.has(experienceId)),
    webhooks: await listWebhooks(db, id),
    environmentNames: await loadEnvironmentNames(db, id),
    ...segments,
    ...createSchedule(scheduled, versions, await loadGoals(db, id, [...versions.values()])),
  };
}

export interface LoadedAccount extends PublishedAccount {
  /** About how much memory it takes. */
  bytes: number;
  /** The published Experiences by the ID of their version. */
  versions: ReadonlyMap<string, PublishedExperience>;
}

async function findVersion(db: Db, id: string): Promise<number> {
  const row = await db
    .selectFrom('published_versions')
    .select('version')
    .where('account_id', '=', id)
    .executeTakeFirst();
  return row?.version ?? 0;
}

async function findWatchedUntil(db: Db, id: string): Promise<Millis> {
  const row = await db
    .selectFrom('account_installations')
    .select('watched_until')
    .where('account_id', '=', id)
    .executeTakeFirst();
  return row?.watched_until ?? 0;
}

/** Creates the visit key when it is first needed. When two nodes create it at the same time, both use the stored one. */
async function findAccount(storage: Storage, secretBox: SecretBox, id: string) {
  const query = storage.reader(null).selectFrom('accounts').selectAll().where('id', '=', id);
  const account = await query.executeTakeFirst();
  if (!account || account.visit_key !== null) return account;
  const key = randomBytes(32).toString('hex');
  await storage.write(null, async (db) => {
    const visit_key = await sealKey(storage.dialect, db, secretBox, { id, column: 'visit_key' }, key);
    await db.updateTable('accounts').set({ visit_key }).where('id', '=', id).where('visit_key', 'is', null).execute();
  });
  return query.executeTakeFirst();
}

function listExperiences(db: Db, id: string) {
  return db
    .selectFrom('experiences')
    .select(['id', 'kind', 'position', 'sort_key', 'public_key', ...publicationColumns])
    .where('account_id', '=', id)
    .execute();
}

async function loadVersions(
  db: Db,
  accountId: string,
  rows: readonly ScheduledExperience[],
  settings: PageSettings,
  before: LoadedAccount | undefined,
): Promise<Map<string, PublishedExperience>> {
  const ids = rows
    .filter(({ archived_at }) => archived_at === null)
    .flatMap(({ version_id, next_version_id }) => [version_id, next_version_id])
    .filter((id) => id !== null);
  const isSame = before?.allowScripts === settings.allowScripts && before.allowGlobals === settings.allowGlobals;
  const known = isSame ? before.versions : new Map<string, PublishedExperience>();
  const versions = new Map<string, PublishedExperience>();
  const missing: string[] = [];
  for (const id of ids) {
    const prepared = known.get(id);
    if (prepared) versions.set(id, prepared);
    else missing.push(id);
  }
  for (let start = 0; start < missing.length; start += MAX_VERSIONS_PER_QUERY)
    for (const row of await listContents(db, accountId, missing.slice(start, start + MAX_VERSIONS_PER_QUERY)))
      versions.set(row.id, toPublishedExperience(row.experience_id, row.id, row.content, settings));
  return versions;
}

/** The shared goals that are the primary ones of these Experiences. An account can have many others. */
async function loadGoals(db: Db, id: string, versions: readonly PublishedExperience[]): Promise<Map<string, GoalRule>> {
  const ids = [...new Set(versions.flatMap(({ goal }) => goal?.goal_id ?? []))];
  const goals = new Map<string, GoalRule>();
  for (let start = 0; start < ids.length; start += MAX_VERSIONS_PER_QUERY) {
    const query = db.selectFrom('goals').select(['id', 'definition']).where('account_id', '=', id);
    const rows = await query.where('id', 'in', ids.slice(start, start + MAX_VERSIONS_PER_QUERY)).execute();
    for (const row of rows) goals.set(row.id, row.definition);
  }
  return goals;
}

function listContents(
  db: Db,
  accountId: string,
  ids: string[],
): Promise<{ id: string; experience_id: string; content: Content }[]> {
  return db
    .selectFrom('versions')
    .select(['id', 'experience_id', 'content'])
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .execute();
}

async function loadUrls(db: Db, id: string): Promise<Map<string, PublishedUrl>> {
  const rows = await db
    .selectFrom('urls')
    .select(['host', 'id', 'enabled', 'url_group_id', 'archived_at', 'installed_at', 'first_seen_at', 'last_seen_at'])
    .where('account_id', '=', id)
    .execute();
  return new Map(rows.map(({ host, archived_at, ...row }) => [host, { ...row, archived: archived_at !== null }]));
}

/** A published Event Name of the kind `custom` has a definition. */
async function loadPageEvents(db: Db, id: string): Promise<CompiledEvent[]> {
  const rows = await db
    .selectFrom('properties')
    .select(['prop', 'definition'])
    .where('account_id', '=', id)
    .where('kind', '=', 'event_name')
    .where('published_at', 'is not', null)
    .orderBy('id')
    .execute();
  return rows.flatMap(({ prop, definition }) => (definition ? compileEvent(prop, definition) : []));
}

/** The conditions and the names of all Segments, by their IDs. */
export async function loadSegments(db: Db, id: string) {
  const rows = await db
    .selectFrom('segments')
    .select(['id', 'name', 'items', 'items_op'])
    .where('account_id', '=', id)
    .execute();
  return {
    segments: new Map(rows.map((row) => [row.id, toCondition(row.items, row.items_op)])),
    segmentNames: new Map(rows.map((row) => [row.id, row.name])),
  };
}

export async function loadEnvironmentNames(db: Db, id: string): Promise<Map<string, string>> {
  const rows = await db.selectFrom('url_groups').select(['id', 'name']).where('account_id', '=', id).execute();
  return new Map(rows.map((row) => [row.id, row.name]));
}

async function listLimitGroups(db: Db, id: string): Promise<LimitGroup[]> {
  const rows = await db
    .selectFrom('limit_groups')
    .select(['id', 'name', 'max_count', 'period_hours', 'max_steps', 'max_seconds'])
    .select(['experience_ids', 'experience_kind', 'tag_ids'])
    .where('account_id', '=', id)
    .orderBy('id')
    .execute();
  return rows.map(({ experience_kind, ...row }) => ({
    ...row,
    kind: readMemberKind({ ...row, experience_kind }),
  }));
}

async function listRunningExperiments(db: Db, id: string): Promise<RunningExperiment[]> {
  const rows = await db
    .selectFrom('experiments')
    .select(['id', 'name', 'started_at', 'variants', 'segment_ids', 'segments_op'])
    .where('account_id', '=', id)
    .where('started_at', 'is not', null)
    .where('ended_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(({ id, name, started_at, variants, segment_ids, segments_op }) => ({
    ...{ id, name, variants, startedAt: started_at ?? 0 },
    ...{ segmentIds: segment_ids, inAnySegment: segments_op === 'or' },
  }));
}

function findHoldout({ holdout_percent, holdout_until, holdout_from }: Selectable<Schema['accounts']>) {
  if (holdout_percent <= 0 || holdout_until === null) return undefined;
  return { share: holdout_percent, until: holdout_until, from: holdout_from ?? 0 };
}

/** The Experiences with each Tag of a limit group. No other Tags have an effect. */
async function loadTagged(db: Db, id: string, groups: readonly LimitGroup[]): Promise<Map<string, Set<string>>> {
  const tagged = new Map(groups.flatMap(({ tag_ids }) => tag_ids).map((tagId) => [tagId, new Set<string>()]));
  if (tagged.size === 0) return tagged;
  const uses = await db
    .selectFrom('experience_uses')
    .select(['used_id', 'experience_id'])
    .where('account_id', '=', id)
    .where('used_id', 'in', [...tagged.keys()])
    .execute();
  for (const { used_id, experience_id } of uses) tagged.get(used_id)?.add(experience_id);
  return tagged;
}

/** Only surveys that end after some Responses are counted. Without any, nothing is read. */
export async function loadResponseCount(
  db: Db,
  id: string,
  experiences: readonly Pick<CompiledExperience, 'id' | 'stopAfter'>[],
): Promise<Pick<PublishedAccount, 'responseCount'>> {
  const ids = [...new Set(experiences.filter(({ stopAfter }) => stopAfter).map((one) => one.id))];
  const counts = new Map<string, number>();
  for (const row of ids.length === 0 ? [] : await listResponseCounts(db, id, ids))
    counts.set(`${row.experience_id} ${row.segment_id}`, row.count);
  return { responseCount: (experienceId, segmentId = '') => counts.get(`${experienceId} ${segmentId}`) ?? 0 };
}

export function listResponseCounts(db: Db, id: string, experienceIds: readonly string[]) {
  return db
    .selectFrom('response_counts')
    .select(['experience_id', 'segment_id', 'count'])
    .where('account_id', '=', id)
    .where('experience_id', 'in', experienceIds)
    .execute();
}

function listWebhooks(db: Db, id: string) {
  return db
    .selectFrom('webhooks')
    .select(['id', 'topics', 'experience_ids'])
    .where('account_id', '=', id)
    .where('enabled', '=', true)
    .orderBy('id')
    .execute();
}
