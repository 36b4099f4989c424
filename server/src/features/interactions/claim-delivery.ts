import {
  type AccountStepBudget,
  isBeforeStart,
  isExpired,
  type Millis,
  PatternBudget,
  parsePageAddress,
} from '@usher/domain';
import type { Context } from '../../context.ts';
import { PreparedQuery } from '../../db/prepared-query.ts';
import { notFound } from '../../errors.ts';
import type { PublishedExperience } from '../../published/published-cache.ts';
import { type DeliveryRow, setPending } from '../deliveries/queries.ts';

/** Who claims a Delivery, and for what. */
export interface Claim {
  deliveryId: string;
  /** The showing: the same one may tell it again. */
  by: string;
  experienceId: string;
  /** Undefined when it is not live. */
  experience: PublishedExperience | undefined;
  /** Whether the user has seen the Experience before. */
  seen: boolean;
  href: string | null;
  /** What matching its URL patterns may cost. */
  patternSteps: AccountStepBudget;
}

/** `won`: it is still to be triggered. `known`: it was, by this very claim. */
type Verdict = 'won' | 'known' | 'lost';

const deliveryOf = new PreparedQuery((db, account, param: (name: 'id' | 'profile_id') => never) =>
  db
    .selectFrom('deliveries')
    .select(['model_id', 'from_at', 'until_at', 'once', 'skip_url_match', 'at', 'removed_at', 'claimed_by'])
    .where('account_id', '=', account)
    .where('profile_id', '=', param('profile_id'))
    .where('id', '=', param('id')),
);

/** Whether a claim triggers its Delivery. The profile is held: of several claims one comes first. */
export async function judgeClaim(ctx: Context, profileId: string, claim: Claim, now: Millis): Promise<Verdict> {
  const [row] = await ctx.run(deliveryOf, { id: claim.deliveryId, profile_id: profileId });
  if (!row) throw notFound('Delivery');
  if (row.at !== null) return row.claimed_by === claim.by ? 'known' : 'lost';
  return isReady(row, claim, now) ? 'won' : 'lost';
}

type Pending = Pick<DeliveryRow, 'model_id' | 'from_at' | 'until_at' | 'once' | 'skip_url_match' | 'removed_at'>;

/** What the page load found may have changed since. */
function isReady(row: Pending, { experience, experienceId, seen, href, patternSteps }: Claim, now: Millis): boolean {
  if (row.removed_at !== null || row.model_id !== experienceId || !experience) return false;
  if (isBeforeStart(row.from_at, now) || isExpired(row.until_at, now) || (row.once && seen)) return false;
  if (row.skip_url_match || href === null) return true;
  return experience.startsOn(parsePageAddress(href), new PatternBudget(patternSteps, now));
}

const triggering = new PreparedQuery(
  (db, account, param: (name: 'id' | 'at' | 'at_href' | 'interaction_id' | 'claimed_by') => never) =>
    db
      .updateTable('deliveries')
      .set({
        at: param('at'),
        updated_at: param('at'),
        at_href: param('at_href'),
        interaction_id: param('interaction_id'),
        claimed_by: param('claimed_by'),
      })
      .where('account_id', '=', account)
      .where('id', '=', param('id')),
);

/** From now on it stays as it is. Answers the pending ones that are left. */
export async function triggerDelivery(
  ctx: Context,
  profile: { id: string; delivery_ids: readonly string[] },
  { deliveryId: id, by, href }: Claim,
  interaction_id: string,
): Promise<string[]> {
  await ctx.run(triggering, { id, at: ctx.now(), at_href: href, interaction_id, claimed_by: by });
  const left = profile.delivery_ids.filter((one) => one !== id);
  await setPending(ctx, profile.id, left);
  return left;
}
