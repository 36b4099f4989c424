import { type DecisionInput, parsePageHost } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { type PageProfile, parsePageProfile } from '../../../db/page-profile/page-profile.ts';
import { selectPageProfileById } from '../../../db/page-profile/select.ts';
import { notFound } from '../../../errors.ts';
import type { PublishedAccount } from '../../../published/published-account.ts';
import { buildDecisionInput, listAwaited } from './build-decision-input.ts';
import { findHostProblem } from './find-host-problem.ts';
import { withPageLoad } from './with-page-load.ts';

export async function findPageProfileById(ctx: Context, id: string): Promise<PageProfile> {
  const [result] = await ctx.run(selectPageProfileById, { id });
  if (!result) throw notFound('profile');
  return parsePageProfile(result);
}

/** What a page load of this user would be decided from. Nothing is recorded. */
export async function imaginePageLoad(
  ctx: Context,
  account: PublishedAccount,
  pageProfile: PageProfile,
  href: string,
  draftEvents: readonly string[] = [],
): Promise<DecisionInput> {
  const now = ctx.now();
  const host = parsePageHost(href);
  const { input } = await buildDecisionInput(ctx, account, withPageLoad(pageProfile, now), {
    ...{ now, href, host: host?.host, isWithheld: false },
    hostProblem: findHostProblem(account, host),
    awaited: [...listAwaited(account, now), ...draftEvents],
  });
  return input;
}
