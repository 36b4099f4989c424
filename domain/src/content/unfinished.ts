/*
 * What happens on other pages to a tour or survey that the user is in the middle of. This file is part of the browser script.
 */

/** How long an unfinished tour or survey keeps others back on a page where its step cannot show. */
export const MAX_KEPT_BACK_SECONDS = 10;

interface WithUrls {
  quantifier_urls?: readonly unknown[];
}

/**
 * Finds the step that shows on a page to a user who is at the step with this index. It is that step if it is for this page, or
 * else the first later step with URL patterns that match: the user has gone to its page without the tour.
 */
export function findStepForPage<Of extends WithUrls>(
  steps: readonly Of[],
  index: number,
  matchesPage: (step: Of) => boolean,
): Of | undefined {
  return steps.find((step, at) => (at === index || (at > index && step.quantifier_urls?.[0])) && matchesPage(step));
}
