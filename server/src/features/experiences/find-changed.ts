import { hasUnpublishedChanges } from '@usher/domain';
import type { Context } from '../../context.ts';
import { takeBreaks } from '../../take-breaks.ts';
import { loadManyTranslations } from '../translations/languages/load-texts.ts';
import type { ExperienceRow } from './queries.ts';

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
  const changed = new Set<string>();
  const takeBreak = takeBreaks();
  for (const row of published) {
    const content = contents.get(lastVersion(row) ?? '');
    const draft = { document: row.draft, translations: translations.get(row.id) ?? {} };
    if (content && hasUnpublishedChanges(row.id, content, draft)) changed.add(row.id);
    await takeBreak();
  }
  return changed;
}
