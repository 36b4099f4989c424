import { MAX_KEPT_BACK_SECONDS } from '../../../domain/src/content/unfinished.ts';
import type { ActiveExperience } from '../active-experience.ts';
import { needsSlot } from '../engine/plan.ts';
import { safely } from '../page/safely.ts';

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
  /** It is null when the time is over. */
  let timer: ReturnType<typeof setTimeout> | null | undefined;

  const grant = (active: ActiveExperience): true => {
    active.hasSlot = true;
    active.retry = undefined;
    return true;
  };

  /** Claims the Delivery, so that no other tab shows it too. It shows only if the server confirms the claim. */
  const claim = (active: ActiveExperience, deliveryId: string, retry: () => void) => {
    const item = { state: 'started', delivery_id: deliveryId, href: location.href } as const;
    active.report(item, (response) => {
      if (!(response as { delivery?: { triggered?: boolean } } | undefined)?.delivery?.triggered) return stop(active);
      grant(active);
      retry();
    });
  };

  const retryWaiting = () => {
    for (const next of list().sort((a, b) => priorityOf(a) - priorityOf(b)))
      if (!holder?.isVisible) safely(() => next.retry?.());
  };

  /** Returns whether one that the user is in the middle of comes first: it shows, or waits for the user, or may still show. */
  const isKeptBack = ({ experience: { step_id } }: ActiveExperience) =>
    list().some(({ experience, hasSlot, isVisible, reason }) => {
      if (!hasSlot && (step_id || !experience.step_id)) return false;
      // The time begins again when its step is lost.
      if (isVisible) timer = void clearTimeout(timer as NonNullable<typeof timer>);
      else if (timer === undefined)
        timer = setTimeout(() => {
          timer = null;
          retryWaiting();
        }, MAX_KEPT_BACK_SECONDS * 1000);
      return timer !== null || !reason;
    });

  return {
    request: (active, retry) => {
      const { experience, explicitRequest, delivery } = active;
      if (active.hasSlot || !needsSlot(experience.kind)) return true;
      active.retry = retry;
      if (!explicitRequest && !delivery && isKeptBack(active)) return false;
      // A tour that is not visible, because it waits for another page, blocks no Delivery.
      if (holder?.hasSlot && (explicitRequest || !holder.isVisible)) stop(holder);
      if (holder) return false;
      holder = active;
      if (!delivery) return grant(active);
      claim(active, delivery.id, retry);
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
