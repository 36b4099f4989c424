import type { Millis } from '@usher/domain';

/** What a funnel allows: steps one after the other, in a time from the first one. */
export interface FunnelRule {
  steps: number;
  windowMs: Millis;
  /** The first step is at or after this time. */
  from: Millis;
  /** The first step is before this time. */
  before: Millis;
}

/** What one person did, in its order. `masks` has a bit for each step that it is. */
export interface Deeds {
  count: number;
  times: Millis[];
  masks: number[];
}

/**
 * How far somebody came: when they did each step. Of several ways, the furthest one counts, and of equal ones the first: from each first step in the
 * period, every next step is the next time that they did it. A first step that is later can lead further, because the window ends later.
 */
export function followSteps({ count, times, masks }: Deeds, { steps, windowMs, from, before }: FunnelRule): Millis[] {
  let best: Millis[] = [];
  // Of a later first step, no next step is earlier. So each of these only moves on, and many events take little more time than few.
  const places: number[] = Array.from({ length: steps }, () => 0);
  for (let first = 0; first < count && best.length < steps; first++) {
    const start = times[first] as Millis;
    if (start >= before) break;
    if (start < from || !((masks[first] as number) & 1)) continue;
    const last = start + windowMs;
    let place = first;
    let reached = 1;
    for (; reached < steps; reached++) {
      place = Math.max(place + 1, places[reached] as number);
      while (place < count && !((masks[place] as number) & (1 << reached))) place++;
      places[reached] = place;
      if (place >= count || (times[place] as Millis) > last) break;
    }
    if (reached > best.length) best = [start, ...places.slice(1, reached).map((place) => times[place] as Millis)];
  }
  return best;
}
