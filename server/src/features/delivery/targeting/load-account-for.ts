import { compileExperience, type Document } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { currentAccount } from '../../../pages/current-account.ts';
import { loadEnvironmentNames, loadResponseCount, loadSegments } from '../../../published/load-account.ts';
import type { PublishedAccount } from '../../../published/published-account.ts';

/**
 * The account as page loads would read it after this draft was published. Until then, they need not know about new Segments
 * and Environments.
 */
export async function loadAccountFor(ctx: Context, id: string, draft: Document): Promise<PublishedAccount> {
  const account = await loadWithCounts(ctx, id, draft);
  const { segments, environmentNames } = account;
  const segmentIds = [...draft.segment_ids, ...draft.excluded_segment_ids];
  const isKnown =
    segmentIds.every((id) => segments.has(id)) && draft.url_group_ids.every((id) => environmentNames.has(id));
  if (isKnown) return account;
  return {
    ...account,
    ...(await loadSegments(ctx.db, ctx.account.id)),
    environmentNames: await loadEnvironmentNames(ctx.db, ctx.account.id),
  };
}

/** The account in memory knows the counts of a survey as of when they last mattered to what is published. */
async function loadWithCounts(ctx: Context, id: string, draft: Document): Promise<PublishedAccount> {
  const account = await currentAccount(ctx, ctx.account);
  const compiled = compileExperience(id, draft);
  if (!compiled.stopAfter) return account;
  const surveys = [compiled, ...account.liveExperiences(ctx.now())];
  return { ...account, ...(await loadResponseCount(ctx.db, ctx.account.id, surveys)) };
}
