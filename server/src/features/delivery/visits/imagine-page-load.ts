import { type DecisionInput, parsePageHost } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { selectVisitorById } from '../../../db/visitor/select.ts';
import { parseVisitor, type Visitor } from '../../../db/visitor/visitor.ts';
import { notFound } from '../../../errors.ts';
import type { PublishedAccount } from '../../../published/published-account.ts';
import { buildDecisionInput } from './build-decision-input.ts';
import { findHostProblem } from './find-host-problem.ts';
import { withPageLoad } from './with-page-load.ts';

export async function findVisitorById(ctx: Context, id: string): Promise<Visitor> {
  const [result] = await ctx.run(selectVisitorById, { id });
  if (!result) throw notFound('profile');
  return parseVisitor(result);
}

/** What a page load of this user would be decided from. Nothing is recorded. */
export async function imaginePageLoad(
  ctx: Context,
  account: PublishedAccount,
  visitor: Visitor,
  href: string,
): Promise<DecisionInput> {
  const now = ctx.now();
  const host = parsePageHost(href);
  const { input } = await buildDecisionInput(ctx, account, withPageLoad(visitor, now), {
    ...{ now, href, host: host?.host, isWithheld: false },
    hostProblem: findHostProblem(account, host),
  });
  return input;
}
