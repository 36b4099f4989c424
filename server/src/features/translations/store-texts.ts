import { type ChangeKind, type Diff, diffLanguage, type Texts } from '@usher/domain';
import type { Context } from '../../context.ts';
import { recordChangesOfMany } from '../changes/record-changes.ts';
import type { ExperienceRow } from '../experiences/queries.ts';

export interface NewTexts {
  row: Pick<ExperienceRow, 'id' | 'draft' | 'captures'>;
  before: Texts;
  after: Texts;
}

/** Stores the texts that some Experiences have in a language, with their Changes, in the transaction of the context. */
export async function storeTexts(
  ctx: Context,
  language: string,
  items: readonly NewTexts[],
  kind?: ChangeKind,
): Promise<void> {
  const told = items.map(({ row, before, after }) => {
    // How a launcher looks in its own language stays.
    const capture_id: Diff = [row.captures[row.id] ?? null, null];
    const changes = diffLanguage(row.id, row.draft, language, before, after);
    return { experienceId: row.id, changes: changes.map((change) => ({ ...change, options: { capture_id } })) };
  });
  await recordChangesOfMany(ctx, told, kind);
  const kept = items.filter(({ after }) => Object.keys(after).length > 0);
  const gone = items.filter(({ after }) => Object.keys(after).length === 0);
  if (kept.length > 0)
    await ctx.db
      .insertInto('translations')
      .values(
        kept.map(({ row, after }) => ({
          account_id: ctx.account.id,
          experience_id: row.id,
          language,
          texts: JSON.stringify(after),
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'experience_id', 'language'])
          .doUpdateSet((row) => ({ texts: row.ref('excluded.texts') })),
      )
      .execute();
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
}
