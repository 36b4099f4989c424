import { type Diff, type Document, diffDocuments, findPublishProblems, type Millis, toTimestamp } from '@usher/domain';
import type { Context } from '../../../../context.ts';
import { newSurveyKey } from '../../../../pages/survey-key.ts';
import { bumpPublishedVersion } from '../../../../published/bump-published-version.ts';
import { recordChanges } from '../../../experiences/changes/record-changes.ts';
import { listCampaignIds } from '../../../experiences/check-references.ts';
import type { ExperienceRow } from '../../../experiences/queries.ts';
import { loadTranslations } from '../../../translations/languages/load-texts.ts';
import { contextAt } from '../../sample-data/context-at.ts';

/**
 * Publishes a draft at the time at which it was published in the other service. Experiences that lead to each other are published one
 * after the other, so `live` says which ones are going to be. Returns why it cannot be published.
 */
export async function publishMoved(
  ctx: Context,
  row: ExperienceRow,
  publishedAt: Millis,
  live: ReadonlySet<string>,
): Promise<string[]> {
  const document: Document = { ...row.draft, published_at: toTimestamp(publishedAt) };
  const campaigns = new Map(listCampaignIds(document).map((id) => [id, live.has(id)]));
  const problems = findPublishProblems(document, campaigns.set(row.id, true));
  if (problems.length > 0) return problems.map((problem) => `It could not be published: ${problem}`);
  const then = contextAt(ctx, publishedAt);
  const version_id = (await then.clock()).newRow().id;
  const options: Record<string, Diff> = {
    capture_id: [row.captures[row.id] ?? null, null],
    version_id: [null, version_id],
  };
  const changes = diffDocuments(row.id, row.draft, document).map((change) => ({ ...change, options }));
  const change_id = await recordChanges(then, row.id, changes);
  await ctx.db
    .insertInto('versions')
    .values({
      ...{ account_id: ctx.account.id, id: version_id, experience_id: row.id, change_id, admin_id: ctx.actor.id },
      published_at: publishedAt,
      content: JSON.stringify({ document, translations: await loadTranslations(ctx, row.id) }),
    })
    .execute();
  await ctx.db
    .updateTable('experiences')
    .set({
      ...{ draft: JSON.stringify(document), version_id, published_at: publishedAt },
      ...(document.public_page && { public_key: row.public_key ?? newSurveyKey(ctx.account.id) }),
    })
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', row.id)
    .execute();
  await bumpPublishedVersion(ctx);
  return [];
}
