import { describeReason, type ExplanationsInput, type ExplanationsOutput, type Reason } from '@usher/domain';
import { currentAccount } from '../../../pages/current-account.ts';
import type { VisitRequest } from '../../../pages/page-request.ts';
import { isWithheld } from '../../../pages/uid-hash.ts';
import type { PublishedAccount } from '../../../published/published-account.ts';
import type { PublishedExperience } from '../../../published/published-experience.ts';
import { DEFAULT_THEME } from '../../../published/published-themes.ts';
import { buildDecisionInput, type DecisionData, listAwaited } from './build-decision-input.ts';
import { explainExperiences } from './explain-experiences.ts';
import { findPageProfileOf } from './find-page-profile.ts';

/** Explains to a page with a debug token why each published Experience shows or not, for the user of its visit. Nothing is recorded. */
export async function explainPage(
  { ctx, account: known, visit, host }: VisitRequest,
  { href }: ExplanationsInput,
): Promise<ExplanationsOutput> {
  const pageProfile = await findPageProfileOf(ctx, visit);
  const account = await currentAccount(ctx, known);
  const data = await buildDecisionInput(ctx, account, pageProfile, {
    now: ctx.now(),
    awaited: listAwaited(account, ctx.now()),
    href,
    host: host?.host,
    isWithheld: isWithheld(account, visit.isProven),
  });
  const { input, deliveries: rows } = data;
  const { experiences, deliveries } = await explainExperiences(ctx, account, input);
  const models = new Map(rows.map(({ id, model_id }) => [id, model_id]));
  return {
    explanations: experiences
      .filter(({ isPublished }) => isPublished)
      .map(({ id, kind, name, shows, reasons }) => ({
        ...{ id, kind, name, can_show: shows },
        reasons: reasons.map(presentReason),
        theme: themeOf(account, account.experience(id, ctx.now()), data),
      })),
    deliveries: deliveries.map(({ id, ready, reasons }) => ({
      ...{ id, model_id: models.get(id) ?? '', can_show: ready },
      reasons: reasons.map(presentReason),
    })),
  };
}

/** The theme of an Experience, with the variation of the user. */
function themeOf(
  { themes }: PublishedAccount,
  experience: PublishedExperience | undefined,
  { matches }: DecisionData,
): { name: string; variation: string | null } | null {
  const theme = experience && themes?.get(experience.document.theme_id ?? DEFAULT_THEME);
  return theme ? { name: theme.name, variation: theme.variationFor({ matches }) } : null;
}

function presentReason(reason: Reason) {
  return { code: reason.rule, message: describeReason(reason) };
}
