import type { ActiveExperience } from '../active-experience.ts';
import { type StepInputs, stepState } from '../engine/step-state.ts';
import { type Conditions, conditionsOf } from '../engine/trigger.ts';
import type { Cleanup, Reason, WaitOptions } from '../kind.ts';
import type { PageStep } from '../wire.ts';
import { find, findAll, findModal, isCovered, isRendered, isVisible, listDocuments } from './find.ts';
import { addListener } from './isolate.ts';
import type { UiDependencies } from './ui.ts';

export interface Wait {
  stop: Cleanup;
  /** Reports why the step has not shown so far, if there is a reason. */
  reportProblem(): void;
}

type WaitDependencies = Pick<UiDependencies, 'watch' | 'layer' | 'matchesPage' | 'onError'>;

/** A problem is reported only after this time, because before it the page may not have rendered the element yet. */
const MIN_WAIT_FOR_PROBLEM_MS = 1000;
const MAX_MISSING_MS = 5000;

/**
 * Waits until a step may show, and reports when it no longer may. `stepState` decides, and this function acts on the
 * result.
 */
export function waitForStep(
  active: ActiveExperience,
  deps: WaitDependencies,
  step: PageStep,
  options: WaitOptions,
): Wait {
  const { watch, layer } = deps;
  const { onLost } = options;
  const inputs = createInputs(active, deps, step, options);
  const setMissing = createMissing(options);
  const report = () => reportProblem(active, step, inputs);
  let isStopped = false;

  const check = () => {
    if (isStopped) return;
    letGo(inputs);
    inputs.isPage = (inputs.isFirst && active.skipUrls) || deps.matchesPage(step.quantifier_urls);
    inputs.isAwaited = awaitsEvent(active, step);
    runHooks(inputs, watch);
    const state = stepState(inputs);
    const reason = typeof state === 'string' ? state : undefined;
    // A step that only waits for an action of the user has no problem.
    if (onLost) active.reason = reason;
    // The page may have removed the layer.
    layer.cleanUp();
    setMissing(!!reason && !/url|covered|pending/.test(reason) && !inputs.wasPlaced);
    if (reason) fail(reason);
    else tryToShow(state as Element | null);
  };

  const fail = (reason: Reason | 'pending') => {
    if (!inputs.isTriggered) trigger?.disarm();
    if (reason === 'pending') return;
    if (reason === 'url') report();
    else inputs.lastProblem = reason;
    hide(reason);
  };

  const hide = (reason: Reason) => {
    // Another step of the Experience may be visible while this one waits.
    if (inputs.isShown) inputs.isShown = active.isVisible = false;
    onLost?.(reason);
    layer.cleanUp();
  };

  const tryToShow = (target: Element | null) => {
    inputs.lastProblem = undefined;
    if (inputs.isShown) {
      if (target === inputs.lastTarget) return;
      hide('not_found');
    } else if (!inputs.isTriggered) return trigger?.arm();
    // Getting the slot may stop other Experiences, whose listeners may stop this one.
    else if (
      document.hidden ||
      !inputs.codeAgrees?.(target) ||
      (!options.isPassive && !active.requestSlot(check)) ||
      isStopped
    )
      return;
    inputs.isShown = active.isVisible = true;
    inputs.lastTarget = target;
    try {
      options.onFound(target);
    } catch (error) {
      deps.onError(error, step.id);
    }
  };

  // A step that waits for nothing needs no trigger, and the module that has it is not loaded.
  const onTrigger = (hit?: Element) => {
    trigger?.disarm();
    inputs.isTriggered = true;
    inputs.lastTarget = hit ?? null;
    check();
  };
  const trigger = active.tourExtras?.createTrigger(inputs, step, watch, onTrigger, {
    addListener,
    findAll,
    listDocuments,
  });
  const stopWatching = watch.add(check);
  return {
    reportProblem: report,
    stop: () => {
      isStopped = true;
      active.isVisible = false;
      setMissing(false);
      stopWatching();
      trigger?.disarm();
      report();
      layer.cleanUp();
    },
  };
}

interface Inputs extends StepInputs<Element>, Conditions {
  /** Runs the hooks of the page; missing when they have run, or when there are none. */
  beforeStep: WaitOptions['beforeStep'];
  /** Whether the Experience begins with this step. */
  isFirst: boolean;
  startedAt: number;
  /** The reason why the step does not show, until it is reported. */
  lastProblem?: Reason | undefined;
  /** Runs the code of the author that must return true; missing if the account does not allow code. */
  codeAgrees: ((target: Element | null) => unknown) | undefined;
}

/**
 * Creates the inputs of a step: its conditions, and how its page is searched. Later events are written into the object.
 */
function createInputs(
  active: ActiveExperience,
  { watch }: WaitDependencies,
  step: PageStep,
  { beforeStep, isInline }: WaitOptions,
): Inputs {
  const conditions = conditionsOf(step);
  const { idleMs, delayMs, isExit, scrollPercent, code } = conditions;
  const isFirst = step.id === (active.startStepId ?? active.experience.steps?.[0]?.id);
  const skipTriggers = isFirst && active.skipTriggers;
  const event = skipTriggers ? undefined : conditions.event;
  // The content of an inline step gives its element a size, so the element may be empty before.
  const isUsable = isInline || step.position_type === 'inline' ? isRendered : undefined;
  return {
    ...{ ...conditions, event, isFirst, skipTriggers, beforeStep, lastTarget: null, startedAt: performance.now() },
    isTriggered: skipTriggers || !(event || idleMs || isExit || scrollPercent || delayMs),
    codeAgrees: code === undefined ? () => true : active.compileCode?.(code),
    hasModal: () => !!findModal(watch.observe),
    isThere: isVisible,
    isCovered: (target) => isCovered(target, watch.observe),
    find: () => find(step.elements ?? [], watch.observe, isUsable),
  };
}

/** Whether a step still waits for an event. The server has decided on the first step, and the user has been at the last one that was seen. */
function awaitsEvent({ experience: { steps, step_id, reached } }: ActiveExperience, { id, step_trigger }: PageStep) {
  return step_trigger === 'event' && ![steps?.[0]?.id, step_id, ...(reached ?? [])].includes(id);
}

/** Drops a target in a frame that the page has removed, because it would keep the whole document in memory. */
function letGo(inputs: Inputs): void {
  inputs.wasPlaced ||= !!inputs.lastTarget;
  // The document of a removed frame has no window.
  if (!inputs.lastTarget?.ownerDocument.defaultView) inputs.lastTarget = null;
}

/** Runs the hooks of the page once, as soon as the step is triggered on its page. */
function runHooks(inputs: Inputs, watch: UiDependencies['watch']): void {
  const { beforeStep, isPage, isTriggered, isAwaited } = inputs;
  if (!beforeStep || !isPage || !isTriggered || isAwaited) return;
  inputs.beforeStep = undefined;
  const hooks = beforeStep();
  inputs.isPreparing = !!hooks;
  void hooks?.then(() => {
    inputs.isPreparing = false;
    watch.changed();
  });
}

/** Returns a function that gives a step up when its element is missing for too long. */
function createMissing({ onMissing }: WaitOptions): (isMissing: boolean) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (isMissing) => {
    if (isMissing && onMissing) timer ??= setTimeout(onMissing, MAX_MISSING_MS);
    else timer = void clearTimeout(timer);
  };
}

/** Reports why a step has not shown, if there is a reason and the page had time to build itself. */
function reportProblem(active: ActiveExperience, { id, step_trigger }: PageStep, inputs: Inputs): void {
  const { isFirst, startedAt, lastProblem: reason } = inputs;
  inputs.lastProblem = undefined;
  // A first step that is triggered by its element may wait for the element forever. A later step would block the tour.
  const mayWait = isFirst && step_trigger === 'element_match';
  if (reason && !mayWait && performance.now() - startedAt >= MIN_WAIT_FOR_PROBLEM_MS)
    active.report({ ...(id && { step_id: id }), problem: { reason }, href: location.href });
}
