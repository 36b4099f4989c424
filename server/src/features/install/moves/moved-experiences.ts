import { createHash } from 'node:crypto';
import { type Content, type Document, type ExperienceFields, isRecord, sortFields } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { experiencesOf } from '../../experiences/queries.ts';
import { loadTranslations } from '../../translations/languages/load-texts.ts';
import type { SourceRecord } from './source.ts';

/** What an import has read, and what it has written. */
interface MovedExperience {
  source_hash: string;
  content: Content;
}

/** Identifies what the other service has of an Experience, so that a later run finds whether it has changed there. */
export function hashSource(record: SourceRecord, fields: Partial<ExperienceFields>, texts: unknown): string {
  const { published_at = null, has_unpublished_changes = null } = record;
  const state = { fields, texts, published_at, has_unpublished_changes };
  return createHash('sha256').update(sortedJson(state)).digest('hex');
}

export async function findMoved(ctx: Context, experienceId: string): Promise<MovedExperience | undefined> {
  return ctx.db
    .selectFrom('moved_experiences')
    .select(['source_hash', 'content'])
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', experienceId)
    .executeTakeFirst();
}

/** Records what the import has written, at the end of the transaction that writes it. */
export async function rememberMoved(ctx: Context, experience_id: string, source_hash: string): Promise<void> {
  const { draft } = await experiencesOf(ctx).where('id', '=', experience_id).executeTakeFirstOrThrow();
  const content: Content = { document: draft, translations: await loadTranslations(ctx, experience_id) };
  const written = { source_hash, content: JSON.stringify(content) };
  await ctx.db
    .insertInto('moved_experiences')
    .values({ account_id: ctx.account.id, experience_id, ...written })
    .onConflict((known) => known.columns(['account_id', 'experience_id']).doUpdateSet(written))
    .execute();
}

/** Whether two documents have the same values. PostgreSQL reorders the keys of JSON. */
export function isSameDocument(one: Document, other: Document): boolean {
  return JSON.stringify(sortFields(one)) === JSON.stringify(sortFields(other));
}

export function isSameJson(one: unknown, other: unknown): boolean {
  return sortedJson(one) === sortedJson(other);
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, part) =>
    isRecord(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}
