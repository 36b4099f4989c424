import {
  compileExperience,
  type DecisionInput,
  describeReason,
  type ExperienceKind,
  type ExplainInput,
  type Explanation,
  explain,
  findFieldOf,
  listDraftReasons,
  type PublishedData,
  parsePageHost,
  type Reason,
  withDraft,
} from '@usher/domain';
import type { Context } from '../../context.ts';
import { selectVisitorById } from '../../db/visitor/select.ts';
import { parseVisitor, type Visitor } from '../../db/visitor/visitor.ts';
import { notFound } from '../../errors.ts';
import type { PublishedAccount } from '../../published/published-account.ts';
import { getExperience } from '../experiences/queries.ts';
import { getProfile } from '../profiles/queries.ts';
import { buildDecisionInput } from '../visits/build-decision-input.ts';
import { findHostProblem } from '../visits/find-host-problem.ts';
import { withPageLoad } from '../visits/with-page-load.ts';
import { loadAccountFor } from './load-account-for.ts';

/** Explains whether a user sees the draft and the live version of an Experience on a page. Nothing is recorded. */
export async function explainExperience(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  { profile_id, uid, email, href }: ExplainInput,
): Promise<Explanation> {
  const { draft, position, sort_key: sortKey } = await getExperience(ctx, kind, id);
  const profile = await getProfile(ctx, {
    ...(profile_id !== undefined && { id: profile_id }),
    ...(uid !== undefined && { uid }),
    ...(email !== undefined && { email }),
  });
  const visitor = await findVisitorById(ctx, profile.id);
  const account = await loadAccountFor(ctx, draft);
  const now = ctx.now();
  const load = () => buildInput(ctx, account, visitor, href);
  const published = withDraft(account, { ...compileExperience(id, draft), position, sortKey });
  // Each has its own budget for URL patterns, as two page loads have.
  const draftReasons = [...listDraftReasons(draft, now), ...listReasonsOf(id, published, await load())];
  const isLive = account.experience(id, now) !== undefined;
  return {
    draft: presentReasons(draftReasons, kind),
    live: isLive ? presentReasons(listReasonsOf(id, account, await load()), kind) : null,
  };
}

async function findVisitorById(ctx: Context, id: string): Promise<Visitor> {
  const [result] = await ctx.run(selectVisitorById, { id });
  if (!result) throw notFound('profile');
  return parseVisitor(result);
}

async function buildInput(
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

function listReasonsOf(id: string, published: PublishedData, input: DecisionInput): Reason[] {
  const [explained] = explain(published, input, [id]).experiences;
  return explained?.reasons ?? [];
}

function presentReasons(reasons: readonly Reason[], kind: ExperienceKind): Explanation['draft'] {
  return {
    shows: reasons.length === 0,
    reasons: reasons.map((reason) => ({
      rule: reason.rule,
      message: describeReason(reason),
      field: findFieldOf(reason, kind),
    })),
  };
}
