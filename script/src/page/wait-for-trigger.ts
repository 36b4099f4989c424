import type { Conditions } from '../engine/trigger.ts';
import type { Cleanup } from '../kind.ts';
import type { PageStep } from '../wire.ts';
import { type findAll, isOurs, type listDocuments } from './find.ts';
import type { addListener } from './isolate.ts';
import { runAll } from './run-all.ts';
import { createMoment } from './wait-for-moment.ts';
import type { Watch } from './watch.ts';

/** The functions of the renderer that a trigger needs. This file is in another module, which must not have them twice. */
interface TriggerDependencies {
  addListener: typeof addListener;
  findAll: typeof findAll;
  listDocuments: typeof listDocuments;
}

/** Waits for the event, the idle time, the moment or the delay that triggers a step. */
interface Trigger {
  /**
   * Starts to wait. Each further call also listens in new frames, and removes the listeners of frames that are gone.
   */
  arm(): void;
  disarm: Cleanup;
}

const activityEvents = 'pointermove,pointerdown,keydown,wheel,scroll';
const triggerEvents = { click: 'click', hover: 'pointerover,focusin', input: 'input' };

/** Creates a trigger. `onTrigger` receives the element that the event happened to, if there was an event. */
export function createTrigger(
  conditions: Conditions,
  { elements = [] }: PageStep,
  watch: Watch,
  onTrigger: (hit?: Element) => void,
  { addListener, findAll, listDocuments }: TriggerDependencies,
): Trigger {
  const { event, idleMs, isExit, scrollPercent, delayMs } = conditions;
  /** The documents with listeners. Removed frames are dropped from this list, because it would keep them in memory. */
  let frames: Document[] = [];
  const cleanups: Cleanup[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const triggerLater = (delay: number | undefined, hit?: Element) => {
    clearTimeout(timer);
    timer = setTimeout(onTrigger, delay, hit);
  };
  const onEvent = (happened: Event) => {
    if (!event) return triggerLater(idleMs);
    const wanted = elements.flatMap((element) => findAll(element).elements);
    const hit = findHit(happened, elements.length > 0 ? wanted : undefined);
    if (!hit) return;
    if (delayMs) triggerLater(delayMs, hit);
    else onTrigger(hit);
  };
  const onMoment = () => (delayMs ? triggerLater(delayMs) : onTrigger());
  const moment =
    isExit || scrollPercent
      ? createMoment(conditions, () => elements.flatMap((element) => findAll(element).elements), onMoment, addListener)
      : undefined;
  const listenIn = (next: Document[]) => {
    if (next.length === frames.length && next.every((frame) => frames.includes(frame))) return;
    runAll(cleanups);
    frames = next;
    next.forEach(watch.observe);
    for (const frame of next)
      for (const type of (event ? triggerEvents[event] : activityEvents).split(','))
        cleanups.push(addListener(frame, type, onEvent, { capture: true, passive: true }));
  };
  return {
    arm: () => {
      if (moment) return moment.arm();
      if (!event) timer ??= setTimeout(onTrigger, idleMs || delayMs);
      if (event || idleMs) listenIn(listDocuments(document));
    },
    disarm: () => {
      timer = void clearTimeout(timer);
      moment?.disarm();
      listenIn([]);
    },
  };
}

/** Finds which of these elements an event hit; without a list, any element of the page. */
function findHit(event: Event, wanted: readonly Element[] | undefined): Element | undefined {
  // `instanceof` does not work here: a frame has classes of its own.
  const path = event.composedPath().filter((node): node is Element => (node as Node).nodeType === 1);
  const hit = wanted ? path.find((element) => wanted.includes(element)) : path[0];
  return path.some(isOurs) ? undefined : hit;
}
