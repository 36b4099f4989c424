import {
  compileExperience,
  type DecisionInput,
  type Document,
  describeStart,
  type ExperienceKind,
  type ExplainInput,
  type Explanation,
  explain,
  explainArm,
  listDraftReasons,
  type PublishedData,
  presentReason,
  type Reason,
  withDraft,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { getProfile } from '../../audience/profiles/queries.ts';
import { getExperience } from '../../experiences/queries.ts';
import { findPageProfileById, imaginePageLoad } from '../visits/imagine-page-load.ts';
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
  const pageProfile = await findPageProfileById(ctx, profile.id);
  const account = await loadAccountFor(ctx, id, draft);
  const now = ctx.now();
  const compiled = compileExperience(id, draft);
  const events = compiled.events.map(({ name }) => name);
  const load = () => imaginePageLoad(ctx, account, pageProfile, href, events);
  const published = withDraft(account, { ...compiled, position, sortKey });
  // The draft and the version each have their own budget for URL patterns, as two page loads have.
  const draftReasons = [...listDraftReasons(draft, now), ...listReasonsOf(id, published, await load())];
  const version = account.experience(id, now);
  const input = await load();
  return {
    draft: presentReasons(draftReasons, draft),
    live: version ? presentReasons(listReasonsOf(id, account, input), version.document) : null,
    experiment: explainArm(account, input, id),
  };
}

function listReasonsOf(id: string, published: PublishedData, input: DecisionInput): Reason[] {
  const [explained] = explain(published, input, [id]).experiences;
  return explained?.reasons ?? [];
}

function presentReasons(reasons: readonly Reason[], document: Document): Explanation['draft'] {
  return {
    shows: reasons.length === 0,
    reasons: reasons.map((reason) => presentReason(reason, document.kind)),
    waits_for: describeStart(document),
  };
}
