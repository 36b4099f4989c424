import { type ChangeKind, diffTexts, type Texts } from '@usher/domain';
import type { Context } from '../../context.ts';
import { recordChanges } from '../changes/record-changes.ts';
import type { ExperienceRow } from '../experiences/queries.ts';

/** Stores the texts of an Experience in a language, with their Changes. Tells whether anything changed. */
export async function storeTexts(
  ctx: Context,
  { id, draft }: Pick<ExperienceRow, 'id' | 'draft'>,
  language: string,
  before: Texts,
  after: Texts,
  kind?: ChangeKind,
): Promise<boolean> {
  const changes = diffTexts(id, draft, language, before, after);
  if (changes.length === 0) return false;
  await recordChanges(
    ctx,
    id,
    changes.map((change) => ({ ...change, options: { capture_id: [null, null] } })),
    kind,
  );
  await ctx.db
    .insertInto('translations')
    .values({ account_id: ctx.account.id, experience_id: id, language, texts: JSON.stringify(after) })
    .onConflict((taken) =>
      taken.columns(['account_id', 'experience_id', 'language']).doUpdateSet({ texts: JSON.stringify(after) }),
    )
    .execute();
  return true;
}
