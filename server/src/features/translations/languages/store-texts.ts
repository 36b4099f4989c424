import { type Diff, diffLanguage, type Texts } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Upsert } from '../../../db/bulk-rows.ts';
import type { Schema } from '../../../db/schema.ts';
import type { ChangeGroup } from '../../experiences/changes/record-changes.ts';

interface NewTexts {
  row: Pick<Selectable<Schema['experiences']>, 'id' | 'draft' | 'captures'>;
  before: Texts;
  after: Texts;
  /** The hashes of the source texts after the change. */
  sources: Texts;
}

/** Stores the texts of some Experiences in one language, and returns the Changes, which the caller records. */
export async function storeTexts(ctx: Context, language: string, items: readonly NewTexts[]): Promise<ChangeGroup[]> {
  const groups = items.map(({ row, before, after }) => {
    // A translation does not change the capture, which shows the `default` language.
    const capture_id: Diff = [row.captures[row.id] ?? null, null];
    const changes = diffLanguage(row.id, row.draft, language, before, after);
    return { experienceId: row.id, changes: changes.map((change) => ({ ...change, options: { capture_id } })) };
  });
  const isEmpty = ({ after }: NewTexts) => Object.keys(after).length === 0;
  const texts = items
    .filter((item) => !isEmpty(item))
    .map(({ row, after, sources }) => ({
      experience_id: row.id,
      language,
      texts: JSON.stringify(after),
      sources: JSON.stringify(sources),
    }));
  const emptyIds = items.filter(isEmpty).map(({ row }) => row.id);
  if (texts.length > 0) await ctx.dialect.upsert(ctx.db, ctx.account.id, translationsTable, texts);
  if (emptyIds.length > 0)
    await ctx.db
      .deleteFrom('translations')
      .where('account_id', '=', ctx.account.id)
      .where('language', '=', language)
      .where('experience_id', 'in', emptyIds)
      .execute();
  return groups;
}

const translationsTable: Upsert = {
  table: 'translations',
  columns: { experience_id: 'text', language: 'text', texts: 'jsonb', sources: 'jsonb' },
  key: ['experience_id', 'language'],
  changes: ['texts', 'sources'],
};
