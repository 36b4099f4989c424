import {
  type Experience,
  type ExperienceKind,
  type ExperienceState,
  type ExperienceStats,
  hasUnpublishedChanges,
  joinNames,
  type Millis,
  parseIso,
  pathOfKind,
  sortFields,
  timeOfId,
  toTimestamp,
  toTimestampOrNull,
} from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../context.ts';
import type { Schema } from '../../db/schema.ts';
import { notFound } from '../../errors.ts';
import { publishedVersionOf } from '../../published/publication.ts';
import { withoutTestUsers } from '../audience/profiles/without-test-users.ts';
import { loadManyTranslations } from '../translations/languages/load-texts.ts';

export type ExperienceRow = Selectable<Schema['experiences']>;

export function experiencesOf(ctx: Context) {
  return ctx.db.selectFrom('experiences').selectAll().where('account_id', '=', ctx.account.id);
}

export async function getExperience(ctx: Context, kind: ExperienceKind, id: string): Promise<ExperienceRow> {
  const row = await experiencesOf(ctx).where('id', '=', id).where('kind', '=', kind).executeTakeFirst();
  if (!row) throw notFound(kind);
  return row;
}

/** Finds an Experience of any kind. */
export async function getAnyExperience(ctx: Context, id: string): Promise<ExperienceRow> {
  const row = await experiencesOf(ctx).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('Experience');
  return row;
}

/** Rejects an ID that belongs to no Experience, or to none of these kinds. */
export async function checkExperience(ctx: Context, id: string, ...kinds: ExperienceKind[]): Promise<void> {
  const query = ctx.db.selectFrom('experiences').select('kind').where('account_id', '=', ctx.account.id);
  const row = await query.where('id', '=', id).executeTakeFirst();
  if (!row || (kinds.length > 0 && !kinds.includes(row.kind))) throw notFound(joinNames(kinds, 'or') || 'Experience');
}

export async function lockExperience(ctx: Context, kind: ExperienceKind, id: string): Promise<ExperienceRow> {
  const row = await ctx.dialect
    .lockRows(experiencesOf(ctx).where('id', '=', id).where('kind', '=', kind))
    .executeTakeFirst();
  if (!row) throw notFound(kind);
  return row;
}

/** Documents contain times as text. */
export function timeOf(timestamp: string | null): Millis | null {
  return timestamp === null ? null : (parseIso(timestamp) ?? null);
}

export function stateOf(row: ExperienceRow, now: Millis): ExperienceState {
  if (row.archived_at !== null) return 'archived';
  if (publishedVersionOf(row, now) !== null) return 'live';
  if (row.published_at === null && row.next_published_at === null) return 'draft';
  return row.published_until !== null && row.published_until <= now ? 'ended' : 'scheduled';
}

/** Since when users no longer see it, if it was published before and is not now. */
export function pausedAt(row: ExperienceRow): string | null {
  return row.published_at === null && row.next_published_at === null ? toTimestampOrNull(row.paused_at) : null;
}

/** Finds the Experiences whose drafts or translations were changed since they were published, by their IDs. */
export async function findChanged(ctx: Context, rows: readonly ExperienceRow[]): Promise<Set<string>> {
  const lastVersion = ({ version_id, next_version_id }: ExperienceRow) => next_version_id ?? version_id;
  const ids = rows.map(lastVersion).filter((id) => id !== null);
  if (ids.length === 0) return new Set();
  const versions = await ctx.db
    .selectFrom('versions')
    .select(['id', 'content'])
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', ids)
    .execute();
  const contents = new Map(versions.map(({ id, content }) => [id, content]));
  const published = rows.filter((row) => contents.has(lastVersion(row) ?? ''));
  const translations = await loadManyTranslations(
    ctx,
    published.map(({ id }) => id),
  );
  const isChanged = (row: ExperienceRow) => {
    const content = contents.get(lastVersion(row) ?? '');
    const draft = { document: row.draft, translations: translations.get(row.id) ?? {} };
    return content !== undefined && hasUnpublishedChanges(row.id, content, draft);
  };
  return new Set(rows.filter(isChanged).map(({ id }) => id));
}

/**
 * Presents Experiences with the names of their Environments and with stats. Do not call this in a transaction: counting
 * takes long for many users, and on SQLite all other writers would wait.
 */
export async function presentExperiences(ctx: Context, rows: readonly ExperienceRow[]): Promise<Experience[]> {
  const groupIds = [...new Set(rows.flatMap(({ draft }) => draft.url_group_ids))];
  const groups = groupIds.length === 0 ? [] : await loadUrlGroups(ctx, groupIds);
  const stats = await loadStats(
    ctx,
    rows.map(({ id }) => id),
  );
  const changed = await findChanged(ctx, rows);
  return rows.map((row) => {
    // PostgreSQL reorders the keys of JSON.
    const { kind, steps, items, ...fields } = sortFields(row.draft);
    return {
      id: row.id,
      created_at: toTimestamp(timeOfId(row.id)),
      updated_at: toTimestamp(row.updated_at),
      kind,
      state: stateOf(row, ctx.now()),
      paused_at: pausedAt(row),
      has_unpublished_changes: changed.has(row.id),
      ...fields,
      url_groups: groups.filter(({ id }) => row.draft.url_group_ids.includes(id)),
      dashboard_url: `${ctx.app.publicUrl}/${pathOfKind(kind)}/${row.id}`,
      stats: stats.get(row.id) ?? noStats,
      steps,
      ...(items && { items }),
    } as Experience;
  });
}

export async function presentExperience(ctx: Context, row: ExperienceRow): Promise<Experience> {
  const [experience] = await presentExperiences(ctx, [row]);
  return experience as Experience;
}

function loadUrlGroups(ctx: Context, ids: string[]): Promise<{ id: string; name: string }[]> {
  return ctx.db
    .selectFrom('url_groups')
    .select(['id', 'name'])
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();
}

export const noStats: ExperienceStats = {
  started_count: 0,
  completed_count: 0,
  exited_count: 0,
  displayed_count: 0,
  last_started_at: null,
  last_completed_at: null,
  last_exited_at: null,
  last_displayed_at: null,
};

export async function loadStats(ctx: Context, ids: string[]): Promise<Map<string, ExperienceStats>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.heavyDb
    .selectFrom('interactions')
    .select(({ fn }) => [
      'experience_id',
      fn.count<number>('started_at').as('started_count'),
      fn.count<number>('completed_at').as('completed_count'),
      fn.count<number>('exited_at').as('exited_count'),
      fn.count<number>('displayed_at').as('displayed_count'),
      fn.max('started_at').as('last_started_at'),
      fn.max('completed_at').as('last_completed_at'),
      fn.max('exited_at').as('last_exited_at'),
      fn.max('displayed_at').as('last_displayed_at'),
    ])
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', 'in', ids)
    .where(withoutTestUsers(ctx.account.id))
    .groupBy('experience_id')
    .execute();
  return new Map(
    rows.map((row) => [
      row.experience_id,
      {
        started_count: row.started_count,
        completed_count: row.completed_count,
        exited_count: row.exited_count,
        displayed_count: row.displayed_count,
        last_started_at: toTimestampOrNull(row.last_started_at),
        last_completed_at: toTimestampOrNull(row.last_completed_at),
        last_exited_at: toTimestampOrNull(row.last_exited_at),
        last_displayed_at: toTimestampOrNull(row.last_displayed_at),
      },
    ]),
  );
}
