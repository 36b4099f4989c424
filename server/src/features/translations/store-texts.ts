import { type Diff, diffLanguage, type Texts } from '@usher/domain';
import type { Context } from '../../context.ts';
import type { Upsert } from '../../db/bulk-rows.ts';
import type { ChangesOfOne } from '../changes/record-changes.ts';
import type { ExperienceRow } from '../experiences/queries.ts';

export interface NewTexts {
  row: Pick<ExperienceRow, 'id' | 'draft' | 'captures'>;
  before: Texts;
  after: Texts;
}

/** Stores the texts that some Experiences have in a language, in the transaction of the context. Gives the Changes to record. */
export async function storeTexts(ctx: Context, language: string, items: readonly NewTexts[]): Promise<ChangesOfOne[]> {
  const told = items.map(({ row, before, after }) => {
    // How a launcher looks in its own language stays.
    const capture_id: Diff = [row.captures[row.id] ?? null, null];
    const changes = diffLanguage(row.id, row.draft, language, before, after);
    return { experienceId: row.id, changes: changes.map((change) => ({ ...change, options: { capture_id } })) };
  });
  const kept = items.filter(({ after }) => Object.keys(after).length > 0);
  const gone = items.filter(({ after }) => Object.keys(after).length === 0);
  const texts = kept.map(({ row, after }) => ({ experience_id: row.id, language, texts: JSON.stringify(after) }));
  if (texts.length > 0) await ctx.dialect.upsert(ctx.db, ctx.account.id, textsTable, texts);
  if (gone.length > 0)
    await ctx.db
      .deleteFrom('translations')
      .where('account_id', '=', ctx.account.id)
      .where('language', '=', language)
      .where(
        'experience_id',
        'in',
        gone.map(({ row }) => row.id),
      )
      .execute();
  return told;
}

const textsTable: Upsert = {
  table: 'translations',
  columns: { experience_id: 'text', language: 'text', texts: 'jsonb' },
  key: ['experience_id', 'language'],
  changes: ['texts'],
};
