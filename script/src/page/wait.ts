import type { ActiveExperience } from '../active-experience.ts';
import { conditionsOf } from '../engine/trigger.ts';
import type { Cleanup, Reason, Ui } from '../kind.ts';
import { traits } from '../kinds/traits.ts';
import type { PageElement } from '../wire.ts';
import { find, findAll, findModal, isCovered, isOurs, isRendered, isVisible, listDocuments } from './find.ts';
import { addListener } from './isolate.ts';
import { runAll } from './run-all.ts';
import type { UiDependencies } from './ui.ts';

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

/** Waits until a step may show, and reports when it no longer may. `Ui.waitFor` describes the last parameters. */
export function waitForStep(
  active: ActiveExperience,
  { watch, layer, matchesPage, onError }: Pick<UiDependencies, 'watch' | 'layer' | 'matchesPage' | 'onError'>,
  ...parameters: Parameters<Ui['waitFor']>
): Wait {
  // Terser removes the hook if the parameters are destructured in the list above.
  const [step, found, lost, onMissing, hook] = parameters;
  let beforeStep = hook;
  const { id, elements = [], quantifier_urls, step_trigger, position_type } = step;
  const { element, target: isPlaced, noElement, idleMs, delayMs, code, ...conditions } = conditionsOf(step);
  const isFirst = id === (active.startStepId ?? active.experience.steps?.[0]?.id);
  const skipTriggers = isFirst && active.skipTriggers;
  const event = skipTriggers ? undefined : conditions.event;
  const codeAgrees = code === undefined ? () => true : active.compileCode?.(code);
  // What goes inside of its element gives it a size.
  const isInline = traits[active.experience.kind].place === 'inline' || position_type === 'inline';
  const startedAt = performance.now();
  const cleanups: Cleanup[] = [];
  /** The documents with listeners for the event or the activity of the user. */
  const frames = new Set<Document>();
  let target: Element | null = null;
  let isShown = false;
  let isTriggered = skipTriggers || !(event || idleMs || delayMs);
  let isArmed = false;
  let isStopped = false;
  let problem: Reason | undefined;
  let preparing: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let missingTimer: ReturnType<typeof setTimeout> | undefined;

  /** Returns the target, null for a step without one, or why the step cannot show. `pending` is not a problem. */
  const findTarget = (): Element | null | Reason | 'pending' => {
    const isPage = (isFirst && active.skipUrls) || matchesPage(quantifier_urls);
    if (!isPage) return isPage === undefined ? 'pending' : 'url';
    if (beforeStep && isTriggered) prepare(beforeStep);
    if (preparing) return 'pending';
    if (!isPlaced) {
      // While the page has a modal dialog, only a step at an element inside of the dialog can be used.
      if (findModal(watch.observe)) return 'covered';
      if (isShown) return target;
    }
    if (event) {
      if (!isTriggered || !isPlaced) return null;
      if (target?.isConnected && isVisible(target)) return isCovered(target, watch.observe) ? 'covered' : target;
    }
    if (!element && !noElement) return event ? 'not_found' : null;
    const result = find(elements, watch.observe, isInline ? isRendered : undefined);
    if (noElement) return 'element' in result && !skipTriggers ? 'pending' : null;
    // A step that has been at its element waits until the element is back.
    if ('reason' in result) return skipTriggers && !target ? null : result.reason;
    return !isPlaced ? null : isCovered(result.element, watch.observe) ? 'covered' : result.element;
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
    const result = findTarget();
    const reason = typeof result === 'string' ? result : undefined;
    // A step that only waits for the action that leads to it does not count.
    if (lost) active.reason = reason;
    // The page may have removed the layer.
    layer.cleanUp();
    if (reason && !/url|covered|pending/.test(reason) && !target && onMissing)
      missingTimer ??= setTimeout(onMissing, MAX_MISSING_MS);
    else missingTimer = void clearTimeout(missingTimer);
    if (typeof result === 'string') return fail(result);
    problem = undefined;
    if (isShown) {
      if (result === target) return;
      hide('not_found');
    } else {
      if (!isTriggered) return arm();
      if (document.hidden || !codeAgrees?.(result)) return;
      // To get the slot may stop other Experiences, and they may stop this one.
      if (!active.requestSlot(check) || isStopped) return;
    }
    isShown = active.isVisible = true;
    target = result;
    try {
      found(target);
    } catch (error) {
      onError(error, id);
    }
  };

  const fail = (reason: Reason | 'pending') => {
    if (reason === 'url') reportProblem();
    else if (reason !== 'pending') problem = reason;
    if (!isTriggered) disarm();
    if (reason === 'pending') return;
    if (isShown) hide(reason);
    else lost?.(reason);
  };

  const hide = (reason: Reason) => {
    isShown = active.isVisible = false;
    lost?.(reason);
    layer.cleanUp();
  };

  const trigger = () => {
    disarm();
    isTriggered = true;
    check();
  };
  const triggerLater = (delay = 0) => {
    clearTimeout(timer);
    timer = setTimeout(trigger, delay);
  };

  /** Starts to listen for the event, the delay or the idle time that triggers the step, also in frames that are new. */
  const arm = () => {
    if (!isArmed && !event) triggerLater(idleMs || delayMs);
    isArmed = true;
    if (!event && !idleMs) return;
    for (const frame of listDocuments(document)) {
      if (frames.has(frame)) continue;
      frames.add(frame);
      watch.observe(frame);
      for (const type of (event ? triggerEvents[event] : activityEvents).split(','))
        cleanups.push(addListener(frame, type, onEvent, { capture: true, passive: true }));
    }
  };
  const disarm = () => {
    isArmed = false;
    clearTimeout(timer);
    runAll(cleanups);
    frames.clear();
  };
  const onEvent = (happened: Event) => {
    if (!event) return triggerLater(idleMs);
    const hit = findHit(happened, elements);
    if (!hit) return;
    target = hit;
    if (delayMs) triggerLater(delayMs);
    else trigger();
  };

  const reportProblem = () => {
    // A first step that its element triggers may wait for it forever. A later one blocks the tour.
    const mayWait = isFirst && step_trigger === 'element_match';
    if (problem && !mayWait && performance.now() - startedAt >= MIN_WAIT_FOR_PROBLEM_MS)
      active.report({ ...(id && { step_id: id }), problem: { reason: problem }, href: location.href });
    problem = undefined;
  };

  const stopWatching = watch.add(check);
  return {
    reportProblem,
    stop: () => {
      isStopped = true;
      active.isVisible = false;
      clearTimeout(missingTimer);
      stopWatching();
      disarm();
      reportProblem();
      layer.cleanUp();
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
