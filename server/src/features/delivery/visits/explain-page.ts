import { describeReason, type ExplanationsInput, type ExplanationsOutput, type Reason } from '@usher/domain';
import { currentAccount } from '../../../pages/current-account.ts';
import type { VisitRequest } from '../../../pages/page-request.ts';
import { isWithheld } from '../../../pages/uid-hash.ts';
import { buildDecisionInput } from './build-decision-input.ts';
import { explainExperiences } from './explain-experiences.ts';
import { findPageProfileOf } from './find-page-profile.ts';

/** Explains to a page with a debug token why each published Experience shows or not, for the user of its visit. Nothing is recorded. */
export async function explainPage(
  { ctx, account: known, visit, host }: VisitRequest,
  { href }: ExplanationsInput,
): Promise<ExplanationsOutput> {
  const pageProfile = await findPageProfileOf(ctx, visit);
  const account = await currentAccount(ctx, known);
  const { input, deliveries: rows } = await buildDecisionInput(ctx, account, pageProfile, {
    now: ctx.now(),
    href,
    host: host?.host,
    isWithheld: isWithheld(account, visit.isProven),
  });
  const { experiences, deliveries } = await explainExperiences(ctx, account, input);
  const models = new Map(rows.map(({ id, model_id }) => [id, model_id]));
  return {
    explanations: experiences
      .filter(({ isPublished }) => isPublished)
      .map(({ id, kind, name, shows, reasons }) => ({
        ...{ id, kind, name, can_show: shows },
        reasons: reasons.map(presentReason),
      })),
    deliveries: deliveries.map(({ id, ready, reasons }) => ({
      ...{ id, model_id: models.get(id) ?? '', can_show: ready },
      reasons: reasons.map(presentReason),
    })),
  };
}

function presentReason(reason: Reason) {
  return { code: reason.rule, message: describeReason(reason) };
}
