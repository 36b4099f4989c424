import { buildChangeSummary, type ChangeSummary, type Content, type PublishCheck } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { checkDraft } from '../../delivery/targeting/check-publish.ts';
import { loadTranslations } from '../../translations/languages/load-texts.ts';
import { newExperienceRow } from '../new-experience-row.ts';
import { getExperience } from '../queries.ts';
import { summarizeContents } from '../summarize-changes.ts';
import { getProposal } from './queries.ts';

/** Says what would happen if a proposal was published now, and how it differs from the draft. Nothing is changed. */
export async function checkProposal(
  ctx: Context,
  id: string,
): Promise<{ publish_check: PublishCheck; draft_changes: ChangeSummary | null }> {
  const { kind, document, experience_id, state } = await getProposal(ctx, id);
  const row =
    experience_id === null
      ? newExperienceRow({ account_id: ctx.account.id, id, updated_at: ctx.now() }, document)
      : await getExperience(ctx, kind, experience_id);
  const proposed = { ...row, draft: { ...document, published_at: row.draft.published_at } };
  const translations = await loadTranslations(ctx, row.id);
  const summary = await summarizeContents(ctx, row.id, { document: proposed.draft, translations });
  const contents = (document: Content['document']): Content => ({ document, translations });
  const states = { before: contents(row.draft), after: contents(proposed.draft) };
  const noCapture = () => null;
  const captures = { before: noCapture, after: noCapture };
  const hasDraft = experience_id !== null && state === 'open';
  return {
    publish_check: await checkDraft(ctx, proposed, summary),
    draft_changes: hasDraft ? buildChangeSummary(row.id, states, [null, null], captures) : null,
  };
}
