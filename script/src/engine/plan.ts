import type { Kind, PageExperience, PageStep, PageUrl } from '../kind.ts';

export interface PageDelivery {
  id: string;
  model_id: string;
  options?: unknown;
  from?: string | null;
  skip_triggers?: boolean;
  skip_url_match?: boolean;
  ready: boolean;
}

export interface Answer {
  profile: Record<string, unknown>;
  visit: { token: string };
  deliveries: PageDelivery[];
  experiences: PageExperience[];
  /** Of the interface, in the language of the user. */
  labels?: Record<string, string>;
}

/** One thing to start, and when: at once, or at a time of the server. */
export interface Planned {
  experience: PageExperience;
  delivery?: PageDelivery;
  at?: number;
}

/** Only one of these shows at a time. */
export function takesTurns(kind: Kind): boolean {
  return kind === 'tour' || kind === 'survey';
}

/** What an answer asks for, in order: Deliveries first, those whose time comes later among them, then what shows by itself. */
export function planOf({ deliveries, experiences }: Pick<Answer, 'deliveries' | 'experiences'>): Planned[] {
  const contentOf = (id: string) => experiences.find((one) => one.id === id);
  const delivered = deliveries.flatMap((delivery): Planned[] => {
    const experience = contentOf(delivery.model_id);
    if (!experience) return [];
    if (delivery.ready) return [{ experience, delivery }];
    // Not ready, but with its content: only its time has not come.
    return delivery.from ? [{ experience, delivery, at: Date.parse(delivery.from) }] : [];
  });
  return [...delivered, ...experiences.filter(({ automatic }) => automatic).map((experience) => ({ experience }))];
}

/** Whether what runs goes on when the page has another address: what the user began does, the rest where it still fits. */
export function staysOn(
  {
    experience,
    began,
    delivery,
  }: { experience: PageExperience; began: boolean; delivery?: { id: string } | undefined },
  answer: Pick<Answer, 'deliveries' | 'experiences'>,
): boolean {
  if (began && takesTurns(experience.kind)) return true;
  return planOf(answer).some((one) => one.experience.id === experience.id && one.delivery?.id === delivery?.id);
}

/**
 * The step to go on with: the one the user was at, else the one seen last. When that is not for this page and a later one
 * is, the user has gone there by themselves.
 */
export function stepToStart(
  { steps = [], step_id }: Pick<PageExperience, 'steps' | 'step_id'>,
  kept: string | undefined,
  isHere: (urls: readonly PageUrl[] | undefined) => boolean,
): PageStep | undefined {
  const placeOf = (id: string | undefined) => steps.findIndex((step) => step.id === id);
  const [keptAt, seenAt] = [placeOf(kept), placeOf(step_id)];
  if (seenAt < 0) return steps[0];
  const place = keptAt < 0 ? seenAt : keptAt;
  const at = steps[place];
  if (isHere(at?.quantifier_urls)) return at;
  return steps.slice(place + 1).find(({ quantifier_urls }) => quantifier_urls && isHere(quantifier_urls)) ?? at;
}

/** All URL patterns of an Experience that the page itself has to look at: a visit has looked at a launcher's. */
export function urlsIn({ steps = [] }: Pick<PageExperience, 'steps'>): PageUrl[] {
  return steps.flatMap(({ quantifier_urls = [] }) => quantifier_urls);
}
