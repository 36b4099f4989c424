import {
  type Browser,
  type DecidedDelivery,
  type Decision,
  isInProgress,
  labelsFor,
  memoize,
  type ProfileItem,
  timeOfId,
  toTimestamp,
  toTimestampOrNull,
  type VisitOutput,
} from '@usher/domain';
import type { PublishedExperience } from '../../published/published-cache.ts';
import type { DeliveryRow } from '../deliveries/queries.ts';
import type { Loaded } from './build-decision-input.ts';
import type { Visitor } from './queries.ts';

/** All of a profile. */
export function presentVisitor({ row, company }: Visitor): VisitOutput['profile'] {
  const { email, company_id, last_cleared_at, custom } = row;
  const belongs = company &&
    company_id !== null && {
      company_id,
      company: { id: company_id, created_at: toTimestamp(timeOfId(company_id)), uid: company.uid },
    };
  const more = { email, ...belongs, last_cleared_at: toTimestampOrNull(last_cleared_at), ...custom };
  return { ...presentKnown(row), ...more };
}

/**
 * What anyone may read who has only the public token: what this request sent, whether it was stored or not, as else one
 * could try values until one is right. Of the user only the ID, and when this page was loaded.
 */
export function presentUnproven(
  { row: { id, uid, updated_at, last_seen_at } }: Visitor,
  { email, company, custom }: ProfileItem,
  browser: Browser,
): VisitOutput['profile'] {
  return {
    id,
    created_at: toTimestamp(timeOfId(id)),
    updated_at: toTimestamp(last_seen_at ?? updated_at),
    uid,
    ...browser,
    percent: null,
    last_seen_at: toTimestampOrNull(last_seen_at),
    last_seen_session_count: null,
    delivery_ids: [],
    ...(email && { email }),
    ...(company && { company: { id: company.id, uid: company.uid } }),
    ...Object.fromEntries(Object.entries(custom).filter(([, value]) => value !== null)),
  };
}

function presentKnown(row: Visitor['row']) {
  return {
    id: row.id,
    created_at: toTimestamp(timeOfId(row.id)),
    updated_at: toTimestamp(row.updated_at),
    uid: row.uid,
    browser_x: row.browser_x,
    browser_tz: row.browser_tz,
    browser_l: row.browser_l,
    browser_n: row.browser_n,
    browser_k: row.browser_k,
    percent: row.percent,
    last_seen_at: toTimestampOrNull(row.last_seen_at),
    last_seen_session_count: row.last_seen_session_count,
    delivery_ids: row.delivery_ids,
  };
}

export function presentPending(
  row: DeliveryRow,
  { ready }: DecidedDelivery,
  isWithheld: boolean,
): VisitOutput['deliveries'][number] {
  return {
    id: row.id,
    model_id: row.model_id,
    model_kind: row.model_kind,
    options: isWithheld ? null : row.options,
    from: toTimestampOrNull(row.from_at),
    until: toTimestampOrNull(row.until_at),
    use_segmentation: row.use_segmentation,
    once: row.once,
    skip_triggers: row.skip_triggers,
    skip_url_match: row.skip_url_match,
    ready,
  };
}

/**
 * As JSON: most of it was made when the Experience was published. What shows by itself says so, and a tour that the user
 * is in the middle of says where.
 */
export function presentContents(
  { experiences, automatic }: Decision<PublishedExperience>,
  visitor: Visitor,
  loaded: Loaded,
): string {
  let json = '';
  for (const experience of experiences) {
    const comma = json === '' ? '' : ',';
    json += comma + presentContent(experience, visitor, loaded, `,"automatic":${automatic.includes(experience)}`);
  }
  return `[${json}]`;
}

/** For users who do not read English: the words of the page itself, with something to show. */
export function presentLabels({ row: { browser_l } }: Visitor): Buffer {
  return writeLabels(browser_l ?? '');
}

const writeLabels = memoize((language) => {
  const labels = labelsFor(language);
  return Buffer.from(labels ? `,"labels":${JSON.stringify(labels)}` : '');
});

/** One of them. */
export function presentContent(
  experience: PublishedExperience,
  { row: { browser_l }, interactions }: Visitor,
  { user, person: { now } }: Loaded,
  more = '',
): string {
  const interaction = interactions.get(experience.id);
  const step = interaction && isInProgress(interaction, now) ? interaction.step_id : null;
  return experience.content(browser_l).jsonFor(user, step === null ? more : `${more},"step_id":"${step}"`);
}
