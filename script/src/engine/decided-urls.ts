import type { PageExperience } from '../wire.ts';

/**
 * Returns whether the visit has tested all URL patterns of an Experience: it tests the patterns of the first step, if the Experience
 * starts automatically. Then the page needs no code that reads patterns until its address changes.
 */
export function isDecided(
  { steps = [], step_id }: Pick<PageExperience, 'steps' | 'step_id'>,
  { delivery, explicitRequest }: { delivery?: unknown; explicitRequest?: unknown },
): boolean {
  if (step_id || delivery || explicitRequest) return false;
  const [first, ...others] = steps.map(({ quantifier_urls }) => JSON.stringify(quantifier_urls));
  return others.every((urls) => !urls || urls === first);
}
