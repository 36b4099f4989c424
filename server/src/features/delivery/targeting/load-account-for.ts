import type { Document } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { currentAccount } from '../../../pages/current-account.ts';
import { loadEnvironmentNames, loadSegments } from '../../../published/load-account.ts';
import type { PublishedAccount } from '../../../published/published-account.ts';

/**
 * The account as page loads would read it after this draft was published. Until then, they need not know about new Segments
 * and Environments.
 */
export async function loadAccountFor(ctx: Context, draft: Document): Promise<PublishedAccount> {
  const account = await currentAccount(ctx, ctx.account);
  const { segments, environmentNames } = account;
  const segmentIds = [...draft.segment_ids, ...draft.excluded_segment_ids];
  const isKnown =
    segmentIds.every((id) => segments.has(id)) && draft.url_group_ids.every((id) => environmentNames.has(id));
  if (isKnown) return account;
  const { id } = ctx.account;
  return {
    ...account,
    ...(await loadSegments(ctx.db, id)),
    environmentNames: await loadEnvironmentNames(ctx.db, id),
  };
}
