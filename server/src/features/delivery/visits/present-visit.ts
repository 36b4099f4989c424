import type { DecidedDelivery, Decision, VisitOutput } from '@usher/domain';
import { JsonBytes } from '../../../pages/json-bytes.ts';
import type { PageRequest } from '../../../pages/page-request.ts';
import { isWithheld } from '../../../pages/uid-hash.ts';
import { signVisit } from '../../../pages/visit-token.ts';
import type { PublishedExperience } from '../../../published/published-experience.ts';
import { presentTerms } from '../deliveries/present-delivery.ts';
import type { DeliveryRow } from '../deliveries/queries.ts';
import type { DecisionData } from './build-decision-input.ts';
import { newVisitor } from './new-visitor.ts';
import type { ParsedVisit } from './parse-visit.ts';
import { presentContents, presentLabels } from './present-contents.ts';
import { presentUnproven, presentVisitor } from './present-visitor.ts';
import type { SavedVisitor } from './save-visitor.ts';

/** The response to a page load. */
export function presentVisit(
  { input, browser }: ParsedVisit,
  { account, visitor, trust, now }: SavedVisitor,
  data: DecisionData,
  decision: Decision<PublishedExperience>,
): JsonBytes {
  const isProven = trust.proof !== 'none';
  const profile = isProven ? presentVisitor(visitor) : presentUnproven(visitor, input, browser);
  const token = signVisit(account.visitKey, { accountId: account.id, profileId: visitor.row.id, at: now, isProven });
  const deliveries = presentDeliveries(data, decision, isWithheld(account, isProven));
  const contents = presentContents(decision, visitor, data);
  return new JsonBytes(
    `{"profile":${JSON.stringify(profile)},"visit":{"token":"${token}"},"deliveries":${JSON.stringify(deliveries)},"experiences":${contents}`,
    ...(decision.experiences.length > 0 ? [presentLabels(visitor)] : []),
    '}',
  );
}

/**
 * The response to a page load of a new user who is over the quota: nothing was stored, so nothing shows, as it would show
 * again on every page.
 */
export function presentUnsavedVisit({ ctx, account }: PageRequest, { input, browser }: ParsedVisit): JsonBytes {
  const visitor = newVisitor(ctx, input.uid);
  const visit = { accountId: account.id, profileId: visitor.row.id, at: ctx.now(), isProven: false };
  const profile = JSON.stringify(presentUnproven(visitor, input, browser));
  const token = signVisit(account.visitKey, visit);
  return new JsonBytes(`{"profile":${profile},"visit":{"token":"${token}"},"deliveries":[],"experiences":[]}`);
}

/** The pending Deliveries, except for those that this page load has dropped. The options are for pages where its Experience is live. */
function presentDeliveries(
  { deliveries, user }: DecisionData,
  decision: Decision<PublishedExperience>,
  withheld: boolean,
): VisitOutput['deliveries'] {
  const rows = new Map(deliveries.map((row) => [row.id, row]));
  return decision.deliveries.flatMap((decided) => {
    const row = rows.get(decided.id);
    return row && !decided.dropped ? presentPending(row, decided, withheld || !user.isLive(row.model_id)) : [];
  });
}

export function presentPending(
  row: DeliveryRow,
  { ready }: DecidedDelivery,
  withheld: boolean,
): VisitOutput['deliveries'][number] {
  const { id, model_id, model_kind, options } = row;
  return { id, model_id, model_kind, ...presentTerms(row), options: withheld ? null : options, ready };
}
