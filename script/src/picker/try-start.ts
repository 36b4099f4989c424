import { findStartStep } from '../engine/plan.ts';
import { traits } from '../kinds/traits.ts';
import type { PageExperience, PageStep, PageUrl } from '../wire.ts';
import type { Exchange } from './exchange.ts';

type Saved = Exchange['saved'];
type MatchesPage = (urls: readonly PageUrl[] | undefined) => boolean | undefined;

/** Where a draft begins to play. */
interface Start {
  step: PageStep | undefined;
  /** The administrator has jumped to the step, so it shows on any page. */
  hasJumped: boolean;
  /** The step to begin with was deleted meanwhile. */
  isDeleted: boolean;
}

/**
 * Chooses the step to play a draft from: the one that was saved, else the one of the pick, else the first. After a jump it is that
 * step; otherwise the tour has come to this page automatically, and goes on as for users.
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

/** What the next page goes on with when the draft has come to a step. Only the step that it began with was jumped to. */
export function saveStep(id: string, startId: string | undefined, isFirst: boolean, { jumped = true }: Saved) {
  return { step: id, jumped: isFirst && id === startId && jumped, ended: undefined };
}

/** Returns whether a launcher with real triggers is for other pages than this one. Steps say it themselves. */
export function isForOtherPages(
  { kind, quantifier_urls }: PageExperience,
  { real }: Saved,
  matchesPage: MatchesPage,
): boolean {
  return !!traits[kind].hasItems && !!real && !matchesPage(quantifier_urls);
}
