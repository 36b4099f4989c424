import { type DecisionInput, type ExperienceKind, explain, type Reason, type VisitExplanation } from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { PublishedAccount } from '../../../published/published-account.ts';

interface ExplainedExperience {
  id: string;
  kind: ExperienceKind;
  name: string;
  /** Whether the Experience is published now, was published for a time that is over, or is scheduled. */
  isPublished: boolean;
  shows: boolean;
  reasons: Reason[];
}

interface ExplainedAccount {
  experiences: ExplainedExperience[];
  deliveries: VisitExplanation['deliveries'];
}

/** Explains for each Experience that is not archived, and each Delivery of the user, why it does not show on a page. */
export async function explainExperiences(
  ctx: Context,
  account: PublishedAccount,
  input: DecisionInput,
): Promise<ExplainedAccount> {
  const listed = await listExperiences(ctx);
  const { experiences, deliveries } = explain(
    account,
    input,
    listed.map(({ id }) => id),
  );
  const byId = new Map(experiences.map((explanation) => [explanation.id, explanation]));
  return {
    deliveries,
    experiences: listed.map((experience) => ({ shows: false, reasons: [], ...byId.get(experience.id), ...experience })),
  };
}

/** The drafts may be large, so reading them must not delay page loads. */
async function listExperiences(ctx: Context) {
  const rows = await ctx.heavyDb
    .selectFrom('experiences')
    .select(['id', 'kind', 'draft', 'published_at', 'next_published_at'])
    .where('account_id', '=', ctx.account.id)
    .where('archived_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(({ id, kind, draft, published_at, next_published_at }) => ({
    ...{ id, kind, name: draft.name, isPublished: published_at !== null || next_published_at !== null },
  }));
}
