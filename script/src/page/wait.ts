import { conditionsOf } from '../engine/trigger.ts';
import type { Cleanup, Reason } from '../kind.ts';
import type { PageElement, PageStep, PageUrl } from '../wire.ts';
import type { CompileCode } from './compile-code.ts';
import { find, findAll, findModal, isCovered, isOurs, isVisible, listDocuments } from './find.ts';
import { addListener } from './isolate.ts';
import { runAll } from './run-all.ts';
import type { Watch } from './watch.ts';

export interface WaitOptions {
  watch: Watch;
  matchesPage(urls: readonly PageUrl[] | undefined): boolean;
  compileCode: CompileCode;
  /** Triggers, elements and delays do not matter. */
  skipTriggers: boolean;
  /** The URL does not matter. */
  skipUrls: boolean;
  /** Returns whether the step may show now. If not, `retry` is called when that may have changed. */
  requestSlot(retry: () => void): boolean;
  onFound(target: Element | null): void;
  onLost(reason: Reason): void;
  /** The step could not show. */
  onProblem(reason: Reason): void;
  /** The element of the step was missing for 5 seconds, and the step has not shown before. */
  onMissing?: (() => void) | undefined;
  /** Called with the reason why the step cannot show now; undefined if there is none. */
  onCheck(reason: Reason | 'pending' | undefined): void;
  /** Lets the page prepare itself for the step. */
  beforeStep?: (() => Promise<void> | undefined) | undefined;
}

export interface Wait {
  stop: Cleanup;
  /** Reports why the step has not shown so far, if there is a reason. */
  reportProblem(): void;
}

/** In a shorter time, the page had no chance to build itself. */
const MIN_WAIT_FOR_PROBLEM_MS = 1000;
const MAX_MISSING_MS = 5000;
const activityEvents = 'pointermove,pointerdown,keydown,wheel,scroll';
const triggerEvents = { click: 'click', hover: 'pointerover,focusin', input: 'input' };

/** Waits until a step may show, and reports when it no longer may. */
export function waitForStep(step: PageStep, options: WaitOptions): Wait {
  const { watch, skipTriggers } = options;
  const { elements = [], quantifier_urls } = step;
  const conditions = conditionsOf(step);
  const codeAgrees = conditions.code === undefined ? () => true : options.compileCode(conditions.code);
  const startedAt = performance.now();
  let target: Element | null = null;
  let isShown = false;
  let isTriggered = skipTriggers || !(conditions.event || conditions.idleMs || conditions.delayMs);
  let isStopped = false;
  let disarm: Cleanup | undefined;
  let listenInNewFrames: (() => void) | undefined;
  let problem: Reason | undefined;
  let { beforeStep } = options;
  let preparing: Promise<void> | undefined;
  let missingTimer: ReturnType<typeof setTimeout> | undefined;

  /** Returns the target, null for a step without one, or why the step cannot show. `pending` is not a problem. */
  const findTarget = (): Element | null | Reason | 'pending' => {
    if (!options.skipUrls && !options.matchesPage(quantifier_urls)) return 'url';
    if (beforeStep && isTriggered) prepare(beforeStep);
    if (preparing) return 'pending';
    // While the page has a modal dialog, only a step at an element inside of the dialog can be used.
    if (!conditions.target && findModal()) return 'covered';
    if (isShown && !conditions.target) return target;
    if (conditions.event && !skipTriggers) {
      if (!isTriggered || !conditions.target) return null;
      if (target?.isConnected && isVisible(target)) return isCovered(target) ? 'covered' : target;
    }
    if (!conditions.element && !conditions.noElement) return conditions.event && !skipTriggers ? 'not_found' : null;
    const result = find(elements, watch.observe);
    if (conditions.noElement) return 'element' in result && !skipTriggers ? 'pending' : null;
    // A step that has been at its element waits until the element is back.
    if ('reason' in result) return skipTriggers && !target ? null : result.reason;
    return !conditions.target ? null : isCovered(result.element) ? 'covered' : result.element;
  };

  const prepare = (run: NonNullable<typeof beforeStep>) => {
    beforeStep = undefined;
    preparing = run();
    void preparing?.then(() => {
      preparing = undefined;
      watch.changed();
    });
  };

  const check = () => {
    if (isStopped) return;
    const found = findTarget();
    options.onCheck(typeof found === 'string' ? found : undefined);
    const isMissing = typeof found === 'string' && !/url|covered|pending/.test(found);
    if (isMissing && !target && options.onMissing) missingTimer ??= setTimeout(options.onMissing, MAX_MISSING_MS);
    else missingTimer = void clearTimeout(missingTimer);
    if (typeof found === 'string') return fail(found);
    problem = undefined;
    if (isShown) {
      if (found === target) return;
      options.onLost('not_found');
    } else {
      if (!isTriggered) return arm();
      if (document.hidden || !codeAgrees?.(found)) return;
      // To get the slot may stop other Experiences, and they may stop this one.
      if (!options.requestSlot(check) || isStopped) return;
    }
    isShown = true;
    target = found;
    options.onFound(target);
  };

  const fail = (reason: Reason | 'pending') => {
    if (reason === 'url') reportProblem();
    else if (reason !== 'pending') problem = reason;
    if (!isTriggered) disarm?.();
    if (!isShown || reason === 'pending') return;
    isShown = false;
    options.onLost(reason);
  };

  const trigger = () => {
    disarm?.();
    isTriggered = true;
    check();
  };

  /** Starts to listen for the event, the delay or the idle time that triggers the step. */
  const arm = () => {
    if (disarm) return listenInNewFrames?.();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const cleanups: Cleanup[] = [() => clearTimeout(timer)];
    disarm = () => {
      disarm = listenInNewFrames = undefined;
      runAll(cleanups);
    };
    const triggerLater = (delay: number) => {
      clearTimeout(timer);
      timer = setTimeout(trigger, delay);
    };
    const listenInFrames = (types: string, handler: (event: Event) => void) => {
      const known = new Set<Document>();
      listenInNewFrames = () => {
        for (const frame of listDocuments(document)) {
          if (known.has(frame)) continue;
          known.add(frame);
          watch.observe(frame);
          for (const type of types.split(','))
            cleanups.push(addListener(frame, type, handler, { capture: true, passive: true }));
        }
      };
      listenInNewFrames();
    };
    const { idleMs, event, delayMs } = conditions;
    if (idleMs !== undefined) {
      listenInFrames(activityEvents, () => triggerLater(idleMs));
      triggerLater(idleMs);
    } else if (event)
      listenInFrames(triggerEvents[event], (event) => {
        const hit = findHit(event, elements);
        if (!hit) return;
        target = hit;
        if (delayMs > 0) triggerLater(delayMs);
        else trigger();
      });
    else triggerLater(delayMs);
  };

  const reportProblem = () => {
    if (problem && performance.now() - startedAt >= MIN_WAIT_FOR_PROBLEM_MS) options.onProblem(problem);
    problem = undefined;
  };

  const stopWatching = watch.add(check);
  return {
    reportProblem,
    stop: () => {
      if (isStopped) return;
      isStopped = true;
      clearTimeout(missingTimer);
      stopWatching();
      disarm?.();
      reportProblem();
    },
  };
}

/** Finds the element of the step that an event hit; without elements, any element of the page. */
function findHit(event: Event, elements: readonly PageElement[]): Element | undefined {
  // `instanceof` does not work here: a frame has classes of its own.
  const path = event.composedPath().filter((node): node is Element => (node as Node).nodeType === 1);
  const wanted = elements.flatMap((element) => findAll(element).elements);
  const hit = elements.length > 0 ? path.find((element) => wanted.includes(element)) : path[0];
  return path.some(isOurs) ? undefined : hit;
}
