import {
  type AccountStepBudget,
  isBeforeStart,
  isExpired,
  isInEnvironment,
  type Millis,
  type PageEnvironment,
  PatternBudget,
  parsePageAddress,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { PreparedStatement } from '../../../db/prepared-statement.ts';
import { notFound } from '../../../errors.ts';
import type { PublishedExperience } from '../../../published/published-experience.ts';
import { type DeliveryRow, setPending } from '../deliveries/queries.ts';

/** A showing of an Experience that wants to trigger a Delivery. */
export interface Claim {
  deliveryId: string;
  /** Identifies the showing, so that its report may be repeated. */
  by: string;
  experienceId: string;
  /** Undefined when the Experience is not live. */
  experience: PublishedExperience | undefined;
  /** Whether the user has seen the Experience before. */
  seen: boolean;
  href: string | null;
  urlGroupId: PageEnvironment;
  /** The budget for matching its URL patterns. */
  patternSteps: AccountStepBudget;
}

/** `won`: the Delivery is to be triggered now. `known`: this claim has triggered it before. */
type ClaimOutcome = 'won' | 'known' | 'lost';

type Pending = Pick<DeliveryRow, 'model_id' | 'from_at' | 'until_at' | 'once' | 'skip_url_match' | 'removed_at'>;

const claimedDelivery = new PreparedStatement<Pending & Pick<DeliveryRow, 'at' | 'claimed_by'>, 'id' | 'profile_id'>(`
  select model_id, from_at, until_at, once, skip_url_match, at, removed_at, claimed_by from deliveries
  where account_id = :account and profile_id = :profile_id and id = :id`);

/** Decides whether a claim triggers its Delivery. The profile is locked, so simultaneous claims are decided one by one. */
export async function decideClaim(ctx: Context, profileId: string, claim: Claim, now: Millis): Promise<ClaimOutcome> {
  const [row] = await ctx.run(claimedDelivery, { id: claim.deliveryId, profile_id: profileId });
  if (!row) throw notFound('Delivery');
  if (row.at !== null) return row.claimed_by === claim.by ? 'known' : 'lost';
  return isReady(row, claim, now) ? 'won' : 'lost';
}

/** Checks again what the page load checked, as it may have changed since. */
function isReady(row: Pending, claim: Claim, now: Millis): boolean {
  const { experience, experienceId, seen, href, urlGroupId, patternSteps } = claim;
  if (row.removed_at !== null || row.model_id !== experienceId || !experience) return false;
  if (!isInEnvironment(experience, urlGroupId)) return false;
  if (isBeforeStart(row.from_at, now) || isExpired(row.until_at, now) || (row.once && seen)) return false;
  if (row.skip_url_match || href === null) return true;
  return experience.startsOn(parsePageAddress(href), new PatternBudget(patternSteps, now));
}

const triggerUpdate = new PreparedStatement<never, 'id' | 'at' | 'at_href' | 'interaction_id' | 'claimed_by'>(`
  update deliveries set
    at = :at, updated_at = :at, at_href = :at_href, interaction_id = :interaction_id, claimed_by = :claimed_by
  where account_id = :account and id = :id`);

/** Triggers a Delivery, which cannot change from then on. Returns the IDs of the Deliveries that are still pending. */
export async function triggerDelivery(
  ctx: Context,
  profile: { id: string; delivery_ids: readonly string[] },
  { deliveryId: id, by, href }: Claim,
  interaction_id: string,
): Promise<string[]> {
  await ctx.run(triggerUpdate, { id, at: ctx.now(), at_href: href, interaction_id, claimed_by: by });
  const left = profile.delivery_ids.filter((one) => one !== id);
  await setPending(ctx, profile.id, left);
  return left;
}
