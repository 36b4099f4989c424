import { createHash } from 'node:crypto';
import {
  type ChangeSummary,
  type Experience,
  type ExperienceKind,
  type Millis,
  type Translations,
  toTimestamp,
} from '@usher/domain';
import type { Context } from '../../context.ts';
import { conflict } from '../../errors.ts';
import { jsonInKeyOrder } from '../../json-in-key-order.ts';
import { loadTranslations } from '../translations/languages/load-texts.ts';
import { lockLanguages } from '../translations/languages/queries.ts';
import { presentExperience } from './present-experience.ts';
import { type ExperienceRow, getExperience, lockExperience } from './queries.ts';
import { storeDraft } from './store-drafts.ts';
import { summarizeChanges } from './summarize-changes.ts';

/** What publishing the draft would change for users, with a hash of exactly this. */
export async function diffDraft(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
): Promise<{ hash: string; summary: ChangeSummary }> {
  // The hash is read first: if the draft changes in between, the hash is out of date and publishes nothing.
  const row = await getExperience(ctx, kind, id);
  const hash = hashDraft(row, await loadTranslations(ctx, id));
  return { hash, summary: await summarizeChanges(ctx, kind, id) };
}

/** Publishes the draft if it is still the one of this hash. */
export async function publishDraft(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  { hash, published_at = ctx.now() }: { hash: string; published_at?: Millis },
): Promise<Experience> {
  const row = await ctx.transaction(async (ctx) => {
    // A request that writes translations locks their language first.
    await lockLanguages(ctx);
    const row = await lockExperience(ctx, kind, id);
    if (hashDraft(row, await loadTranslations(ctx, id)) !== hash)
      throw conflict('`hash` is not that of the draft as it is now, so nothing was published: read the diff again');
    return storeDraft(ctx, row, { ...row.draft, published_at: toTimestamp(published_at) });
  });
  return presentExperience(ctx, row);
}

/** Changes with everything that publishing would change for users, and with what they see now. */
function hashDraft({ id, draft, version_id, next_version_id }: ExperienceRow, translations: Translations): string {
  const text = jsonInKeyOrder({ id, draft, translations, version_id, next_version_id });
  return createHash('sha256').update(text).digest('hex');
}
