import { findStartStep } from '../engine/plan.ts';
import { traits } from '../kinds/traits.ts';
import type { PageExperience, PageStep, PageUrl } from '../wire.ts';
import type { Exchange } from './exchange.ts';

type Saved = Exchange['saved'];
type MatchesPage = (urls: readonly PageUrl[] | undefined) => boolean | undefined;

/** Where a draft begins to play. */
interface Start {
  step: PageStep | undefined;
  /** Whether the administrator has jumped to the step, so that it shows on any page. */
  hasJumped: boolean;
  /** Whether the step to begin with was deleted meanwhile. */
  isDeleted: boolean;
}

/**
 * Chooses the step from which a draft plays: the saved step, else the step of the pick, else the first. After a jump,
 * the step shows on any page. Otherwise the tour has come to this page automatically, and continues as for users.
 */
export function chooseStart(
  { steps = [] }: PageExperience,
  saved: Saved,
  pickedId: string | undefined,
  matchesPage: MatchesPage,
): Start {
  const wanted = saved.step ?? pickedId;
  const found = steps.find(({ id }) => id === wanted);
  const hasJumped = saved.jumped ?? true;
  const goesOn = saved.step !== undefined && !hasJumped;
  const step = goesOn
    ? findStartStep({ steps, step_id: saved.step ?? '' }, saved.step, matchesPage)
    : (found ?? steps[0]);
  return { step, hasJumped, isDeleted: !!wanted && !found };
}

/**
 * The state to save for the next page when the draft has come to a step. Only the step that it began with was jumped
 * to.
 */
export function saveStep(id: string, startId: string | undefined, isFirst: boolean, { jumped = true }: Saved) {
  return { step: id, jumped: isFirst && id === startId && jumped, ended: undefined };
}

/**
 * Returns whether a launcher with real triggers is for other pages than this one. Steps test their pages themselves.
 */
export function isForOtherPages(
  { kind, quantifier_urls }: PageExperience,
  { real }: Saved,
  matchesPage: MatchesPage,
): boolean {
  return !!traits[kind].hasItems && !!real && !matchesPage(quantifier_urls);
}
