import { type DecidedDelivery, type Decision, findNextStart, type VisitOutput } from '@usher/domain';
import { JsonBytes } from '../../../pages/json-bytes.ts';
import type { PageRequest } from '../../../pages/page-request.ts';
import { isWithheld } from '../../../pages/uid-hash.ts';
import { signVisit } from '../../../pages/visit-token.ts';
import type { PublishedAccount } from '../../../published/published-account.ts';
import type { PublishedExperience } from '../../../published/published-experience.ts';
import { presentTerms } from '../deliveries/present-delivery.ts';
import type { DeliveryRow } from '../deliveries/queries.ts';
import type { DecisionData } from './build-decision-input.ts';
import { newPageProfile } from './new-page-profile.ts';
import type { ParsedVisit } from './parse-visit.ts';
import { presentContents, presentLabels, presentThemes } from './present-contents.ts';
import { presentPageEvents } from './present-page-events.ts';
import { presentPageProfile, presentUnproven } from './present-page-profile.ts';
import type { SavedPageProfile } from './save-page-profile.ts';

/** The response to a page load. */
export function presentVisit(
  { input, browser }: ParsedVisit,
  { account, pageProfile, trust, now }: SavedPageProfile,
  data: DecisionData,
  decision: Decision<PublishedExperience>,
  done: ReadonlySet<string>,
  streamTicket: string | undefined,
): JsonBytes {
  const isProven = trust.proof !== 'none';
  const profile = isProven ? presentPageProfile(pageProfile) : presentUnproven(account, pageProfile, input, browser);
  const token = signVisit(account.visitKey, {
    accountId: account.id,
    profileId: pageProfile.row.id,
    at: now,
    isProven,
  });
  const deliveries = presentDeliveries(data, decision, isWithheld(account, isProven));
  const contents = presentContents(decision, pageProfile, data, done);
  return new JsonBytes(
    `{"profile":${JSON.stringify(profile)},"visit":{"token":"${token}"${presentNext(account, data)}${presentStream(streamTicket)}},"deliveries":${JSON.stringify(deliveries)},"experiences":${contents}`,
    ...presentPageEvents(account, data.input),
    ...(decision.experiences.length > 0 ? [presentLabels(pageProfile)] : []),
    `${presentThemes(account, decision.experiences, data)}}`,
  );
}

/** When the page asks again, because the delay after an event is over then. */
function presentNext(account: PublishedAccount, { input }: DecisionData): string {
  const next = findNextStart(account, input);
  return next === undefined ? '' : `,"again_ms":${next - input.now}`;
}

function presentStream(ticket: string | undefined): string {
  return ticket === undefined ? '' : `,"stream":"${ticket}"`;
}

/**
 * The response to a page load of a new user who is over the quota: nothing was stored, so nothing shows, as it would show
 * again on every page.
 */
export function presentUnsavedVisit({ ctx, account }: PageRequest, { input, browser }: ParsedVisit): JsonBytes {
  const pageProfile = newPageProfile(ctx, input.uid);
  const visit = { accountId: account.id, profileId: pageProfile.row.id, at: ctx.now(), isProven: false };
  const profile = JSON.stringify(presentUnproven({ allowPercent: false }, pageProfile, input, browser));
  const token = signVisit(account.visitKey, visit);
  return new JsonBytes(`{"profile":${profile},"visit":{"token":"${token}"},"deliveries":[],"experiences":[]}`);
}

/** The pending Deliveries that this page load has not dropped. A Delivery has its options on pages where its Experience is live. */
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
