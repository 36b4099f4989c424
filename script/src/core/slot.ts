import { MAX_KEPT_BACK_SECONDS } from '../../../domain/src/content/unfinished.ts';
import type { ActiveExperience } from '../active-experience.ts';
import { isExclusive } from '../kinds/traits.ts';
import { routeOf } from '../page/navigate.ts';
import { safely } from '../page/safely.ts';
import type { ReportItem } from '../wire.ts';

/** Only one tour or survey shows at a time: the one that has the slot. */
export interface Slot {
  /** Returns whether the Experience may show now. If not, `retry` is called when that may have changed. */
  request(active: ActiveExperience, retry: () => void): boolean;
  /** Gives the slot to the next Experience that waits for it. */
  release(active: ActiveExperience): void;
}

interface SlotDependencies {
  list(): ActiveExperience[];
  stop(active: ActiveExperience): void;
}

export function createSlot({ list, stop }: SlotDependencies): Slot {
  let holder: ActiveExperience | undefined;
  /** Runs while a tour that the user is in the middle of keeps other Experiences back. Null when that time is over. */
  let timer: ReturnType<typeof setTimeout> | null | undefined;
  /** The page that the timer was started on. */
  let route: string | undefined;

  const grant = (active: ActiveExperience): true => {
    active.hasSlot = true;
    return true;
  };

  /**
   * Claims the Delivery or the event, so that no other tab shows it too. It shows only if the server confirms the claim.
   */
  const claim = (active: ActiveExperience, what: Pick<ReportItem, 'delivery_id' | 'by_event'>, retry: () => void) => {
    active.report({ state: 'started', ...what, href: location.href }, (response) => {
      const { delivery, start } = (response ?? {}) as Record<string, { triggered?: boolean } | undefined>;
      if (!(delivery ?? start)?.triggered) return stop(active);
      grant(active);
      retry();
    });
  };

  const retryWaiting = () => {
    for (const next of list().sort((a, b) => priorityOf(a) - priorityOf(b)))
      if (!holder?.isVisible) safely(() => next.retry?.());
  };

  /**
   * Returns whether a tour or survey that the user is in the middle of comes first: it shows, waits for the user, or may still
   * show.
   */
  const isKeptBack = ({ experience: { step_id } }: ActiveExperience) => {
    const keepers = list().filter(({ experience, hasSlot }) => hasSlot || (!step_id && experience.step_id));
    const mustWait = keepers[0] && !keepers.some(({ isVisible }) => isVisible);
    // The time begins again on each page, and when the step is lost.
    if (!mustWait || route !== routeOf(location.href)) timer = void clearTimeout(timer as NonNullable<typeof timer>);
    route = routeOf(location.href);
    if (mustWait && timer === undefined)
      timer = setTimeout(() => {
        timer = null;
        retryWaiting();
      }, MAX_KEPT_BACK_SECONDS * 1000);
    return keepers.some(({ reason }) => timer !== null || !reason);
  };

  return {
    request: (active, retry) => {
      if (!isExclusive(active.experience)) return true;
      active.retry = retry;
      if (active.hasSlot) return true;
      // An Experience that has started and then lost the slot has no priority any more: the page or the backend asks
      // for another one now.
      const { explicitRequest, delivery, isWanted, experience } = active.hasStarted
        ? ({} as Partial<ActiveExperience>)
        : active;
      const isExplicit = explicitRequest || isWanted;
      if (!isExplicit && !delivery && isKeptBack(active)) return false;
      const previous = holder;
      // A tour that is not visible, because it waits for its element or for another page, blocks no other Experience,
      // and goes on later.
      if (previous?.hasSlot && !previous.isVisible) {
        previous.hasSlot = false;
        previous.experience.step_id ??= previous.currentStepId as string;
        holder = undefined;
      } else if (previous?.hasSlot && isExplicit) stop(previous);
      if (holder) return false;
      holder = active;
      // The Experience that had the slot checks again, and removes the button that leads back to its step.
      safely(() => previous?.retry?.());
      if (delivery) claim(active, { delivery_id: delivery.id }, retry);
      else if (experience?.by_event && !explicitRequest) claim(active, { by_event: true }, retry);
      else return grant(active);
      return false;
    },
    release: (active) => {
      if (holder !== active) return;
      holder = undefined;
      retryWaiting();
    },
  };
}

/** Explicit requests come first, then Deliveries. */
function priorityOf({ explicitRequest, delivery }: ActiveExperience): number {
  return explicitRequest ? 0 : delivery ? 1 : 2;
}
