import { canShowOn } from '@usher/domain';
import type { Domain, Place } from '../../api/domains.ts';

export const domainStates = ['on', 'off', 'new', 'archived'] as const;
export type DomainState = (typeof domainStates)[number];

/** A domain is newly seen from when a page has recorded it until an administrator changes it. */
export function domainState({ archived_at, enabled, ...times }: Domain): DomainState {
  if (archived_at !== null) return 'archived';
  if (enabled !== 'off') return 'on';
  return times.installed_at === times.created_at && times.updated_at === times.created_at ? 'new' : 'off';
}

type Where = Pick<Domain, 'host' | 'url_group_id'> & Partial<Pick<Domain, 'enabled'>>;

export function liveOn(places: readonly Place[], where: Where): Place[] {
  return places.filter((place) => place.state === 'live' && canShowOn(place, where));
}

/** What a move changes for the users of a domain. */
export interface MoveEffect {
  /** Experiences that are live on the domain before and after the move. */
  stays: Place[];
  /** Experiences that are live on the domain only after the move. */
  starts: Place[];
  /**
   * Experiences that are on the domain only before the move, unless they are taken along. The ones that are not live
   * yet come last.
   */
  stops: Place[];
}

export function moveEffect(places: readonly Place[], from: Where, url_group_id: string | null): MoveEffect {
  const to = { ...from, url_group_id };
  const effect: MoveEffect = { stays: [], starts: [], stops: [] };
  for (const place of places) {
    const [before, after] = [canShowOn(place, from), canShowOn(place, to)];
    // Drafts without this Environment do not show on the domain.
    const isOfDomain =
      place.state === 'live' || (from.url_group_id !== null && place.url_group_ids.includes(from.url_group_id));
    if (before && !after && isOfDomain) effect.stops.push(place);
    else if (place.state !== 'live') continue;
    else if (before && after) effect.stays.push(place);
    else if (after) effect.starts.push(place);
  }
  effect.stops.sort((a, b) => Number(b.state === 'live') - Number(a.state === 'live'));
  return effect;
}
