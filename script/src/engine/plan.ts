import { findStepForPage } from '../../../domain/src/content/unfinished.ts';
import { isExclusive } from '../kinds/traits.ts';
import type { PageDelivery, PageExperience, PageStep, PageUrl, VisitResponse } from '../wire.ts';

/** An Experience to start: now, or at a time by the clock of the server. */
export interface PlannedStart {
  experience: PageExperience;
  delivery?: PageDelivery;
  startsAt?: number;
}

type Decisions = Pick<VisitResponse, 'deliveries' | 'experiences'>;

/**
 * Lists the Experiences that a visit asks to start, in order: first Deliveries, including Deliveries that start later,
 * then Experiences that start automatically.
 */
export function planStarts({ deliveries, experiences }: Decisions): PlannedStart[] {
  const delivered = deliveries.flatMap((delivery): PlannedStart[] => {
    const experience = experiences.find(({ id }) => id === delivery.model_id);
    if (!experience) return [];
    if (delivery.ready) return [{ experience, delivery }];
    // The response has the content of a Delivery that is not ready only if it starts later.
    return delivery.from ? [{ experience, delivery, startsAt: Date.parse(delivery.from) }] : [];
  });
  return [...delivered, ...experiences.filter(({ automatic }) => automatic).map((experience) => ({ experience }))];
}

interface ActiveState {
  experience: PageExperience;
  hasStarted: boolean;
  explicitRequest?: object | undefined;
  delivery?: { id: string } | undefined;
}

/** Returns whether an active Experience continues after a visit: if the user has started it, or the visit asks for it too. */
export function staysActive(active: ActiveState, decisions: Decisions): boolean {
  const { experience, hasStarted, explicitRequest, delivery } = active;
  if ((hasStarted || explicitRequest) && isExclusive(experience)) return true;
  return planStarts(decisions).some(
    (planned) => planned.experience.id === experience.id && planned.delivery?.id === delivery?.id,
  );
}

/** Finds the step to continue with on this page, for a user who was at the saved step, or else at the last step that was seen. */
export function findStartStep(
  { steps = [], step_id }: Pick<PageExperience, 'steps' | 'step_id'>,
  savedStepId: string | undefined,
  matchesPage: (urls: readonly PageUrl[] | undefined) => boolean | undefined,
): PageStep | undefined {
  const indexOf = (id: string | undefined) => steps.findIndex((step) => step.id === id);
  const [saved, seen] = [indexOf(savedStepId), indexOf(step_id)];
  if (seen < 0) return steps[0];
  const index = saved < 0 ? seen : saved;
  return findStepForPage(steps, index, ({ quantifier_urls }) => matchesPage(quantifier_urls) === true) ?? steps[index];
}

/** Lists the URL patterns that the page itself has to test. The visit has tested the patterns of launchers. */
export function listUrls({ steps = [] }: Pick<PageExperience, 'steps'>): PageUrl[] {
  return steps.flatMap(({ quantifier_urls = [] }) => quantifier_urls);
}
