import type { Content } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../context.ts';
import type { Schema } from '../../db/schema.ts';
import type { AuditEntry } from '../team/audit/record-audit.ts';
import type { ExperienceRow } from './queries.ts';

type VersionRow = Selectable<Schema['versions']>;

/** The version that users see, the one that they will see, and the one that they see again after a pause. */
const columns = ['version_id', 'next_version_id', 'paused_version_id'] as const;
export type VersionColumn = (typeof columns)[number];

/** Loads these versions of Experiences, by the ID of the Experience. */
export async function loadVersionsInUse(
  ctx: Context,
  rows: readonly ExperienceRow[],
  names: readonly VersionColumn[] = columns,
): Promise<Map<string, VersionRow[]>> {
  const ids = rows.flatMap((row) => names.flatMap((name) => row[name] ?? []));
  if (ids.length === 0) return new Map();
  const versions = ctx.db.selectFrom('versions').selectAll().where('account_id', '=', ctx.account.id);
  const found = new Map<string, VersionRow[]>();
  for (const version of await versions.where('id', 'in', ids).orderBy('id').execute())
    found.set(version.experience_id, [...(found.get(version.experience_id) ?? []), version]);
  return found;
}

/** A version never changes, because page loads keep it in memory and the history shows it. A new version takes its place. */
export async function replaceVersion(
  ctx: Context,
  row: ExperienceRow,
  { id: oldId, ...version }: VersionRow,
  content: Content,
  details: object = {},
): Promise<AuditEntry> {
  const { id } = (await ctx.clock()).newRow();
  const published_at = Math.max(ctx.now(), version.published_at);
  await ctx.db
    .insertInto('versions')
    .values({ ...version, id, admin_id: ctx.actor.id, published_at, content: JSON.stringify(content) })
    .execute();
  const pointing = columns.filter((name) => row[name] === oldId).map((name) => [name, id]);
  await ctx.db
    .updateTable('experiences')
    .set(Object.fromEntries(pointing))
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', row.id)
    .execute();
  return {
    action: 'experience.publish',
    target: { type: row.kind, id: row.id },
    details: { version_id: id, published_at: content.document.published_at, ...details },
  };
}
