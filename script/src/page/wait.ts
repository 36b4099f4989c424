import type { ActiveExperience } from '../active-experience.ts';
import { type StepInputs, stepState } from '../engine/step-state.ts';
import { type Conditions, conditionsOf } from '../engine/trigger.ts';
import type { Cleanup, Reason, WaitOptions } from '../kind.ts';
import { traits } from '../kinds/traits.ts';
import type { PageStep } from '../wire.ts';
import { find, findModal, isCovered, isRendered, isVisible } from './find.ts';
import type { UiDependencies } from './ui.ts';
import { createTrigger } from './wait-for-trigger.ts';

export interface Wait {
  stop: Cleanup;
  /** Reports why the step has not shown so far, if there is a reason. */
  reportProblem(): void;
}

type WaitDependencies = Pick<UiDependencies, 'watch' | 'layer' | 'matchesPage' | 'onError'>;

/** After a shorter time, the page may not have had a chance to render the element. */
const MIN_WAIT_FOR_PROBLEM_MS = 1000;
const MAX_MISSING_MS = 5000;

/** Waits until a step may show, and reports when it no longer may. `stepState` decides; this does what follows from it. */
export function waitForStep(
  active: ActiveExperience,
  deps: WaitDependencies,
  step: PageStep,
  options: WaitOptions,
): Wait {
  const { watch, layer } = deps;
  const isFirst = step.id === (active.startStepId ?? active.experience.steps?.[0]?.id);
  const inputs = createInputs(active, deps, step, isFirst);
  const { show, hide } = createShowing(active, deps, step, options, inputs);
  const prepare = createHooks(options, inputs, watch);
  const setMissing = createMissing(options);
  const problem = createProblem(active, step, isFirst);
  let isStopped = false;

  const check = () => {
    if (isStopped) return;
    letGo(inputs);
    inputs.isPage = (isFirst && active.skipUrls) || deps.matchesPage(step.quantifier_urls);
    prepare();
    const state = stepState(inputs);
    const reason = typeof state === 'string' ? state : undefined;
    // A step that only waits for the action of the user that triggers it has no problem.
    if (options.onLost) active.reason = reason;
    // The page may have removed the layer.
    layer.cleanUp();
    setMissing(!!reason && !/url|covered|pending/.test(reason) && !inputs.wasPlaced);
    if (reason) fail(reason);
    else tryToShow(state as Element | null);
  };

  const fail = (reason: Reason | 'pending') => {
    if (!inputs.isTriggered) trigger.disarm();
    if (reason === 'pending') return;
    if (reason === 'url') problem.report();
    else problem.reason = reason;
    hide(reason);
  };

  const tryToShow = (target: Element | null) => {
    problem.reason = undefined;
    if (inputs.isShown) {
      if (target === inputs.lastTarget) return;
      hide('not_found');
    } else if (!inputs.isTriggered) return trigger.arm();
    // Getting the slot may stop other Experiences, whose listeners may stop this one.
    else if (document.hidden || !inputs.codeAgrees?.(target) || !active.requestSlot(check) || isStopped) return;
    show(target);
  };

  const trigger = createTrigger(inputs, step, watch, (hit) => {
    trigger.disarm();
    inputs.isTriggered = true;
    inputs.lastTarget = hit ?? null;
    check();
  });
  const stopWatching = watch.add(check);
  return {
    reportProblem: problem.report,
    stop: () => {
      isStopped = true;
      active.isVisible = false;
      setMissing(false);
      stopWatching();
      trigger.disarm();
      problem.report();
      layer.cleanUp();
    },
  };
}

type Inputs = StepInputs<Element> & Conditions & { codeAgrees: ((target: Element | null) => unknown) | undefined };

/** What a step needs, and how its page is searched. What happens to the step is written into it later. */
function createInputs(active: ActiveExperience, { watch }: WaitDependencies, step: PageStep, isFirst: boolean): Inputs {
  const conditions = conditionsOf(step);
  const { idleMs, delayMs, code } = conditions;
  const skipTriggers = isFirst && active.skipTriggers;
  const event = skipTriggers ? undefined : conditions.event;
  // The content of an inline step gives its element a size.
  const isInline = traits[active.experience.kind].place === 'inline' || step.position_type === 'inline';
  return {
    ...{ ...conditions, event, skipTriggers, lastTarget: null },
    isTriggered: skipTriggers || !(event || idleMs || delayMs),
    codeAgrees: code === undefined ? () => true : active.compileCode?.(code),
    hasModal: () => !!findModal(watch.observe),
    isThere: isVisible,
    isCovered: (target) => isCovered(target, watch.observe),
    find: () => find(step.elements ?? [], watch.observe, isInline ? isRendered : undefined),
  };
}

/** Lets go of a target in a frame that the page has removed: it would keep the whole document in memory. */
function letGo(inputs: Inputs): void {
  inputs.wasPlaced ||= !!inputs.lastTarget;
  // The document of a frame that is gone has no window.
  if (!inputs.lastTarget?.ownerDocument.defaultView) inputs.lastTarget = null;
}

/** Returns a function that runs the hooks of the page once, as soon as the step is triggered on its page. */
function createHooks({ beforeStep }: WaitOptions, inputs: Inputs, watch: UiDependencies['watch']): () => void {
  let hasRun = false;
  return () => {
    if (hasRun || !inputs.isPage || !inputs.isTriggered) return;
    hasRun = true;
    const hooks = beforeStep?.();
    inputs.isPreparing = !!hooks;
    void hooks?.then(() => {
      inputs.isPreparing = false;
      watch.changed();
    });
  };
}

/** Shows and hides the step. */
function createShowing(
  active: ActiveExperience,
  { layer, onError }: WaitDependencies,
  step: PageStep,
  { onFound, onLost }: WaitOptions,
  inputs: Inputs,
) {
  return {
    show: (target: Element | null) => {
      inputs.isShown = active.isVisible = true;
      inputs.lastTarget = target;
      try {
        onFound(target);
      } catch (error) {
        onError(error, step.id);
      }
    },
    hide: (reason: Reason) => {
      // Another step of the Experience may be visible while this one waits.
      if (inputs.isShown) inputs.isShown = active.isVisible = false;
      onLost?.(reason);
      layer.cleanUp();
    },
  };
}

/** Returns a function that gives a step up when its element is missing for too long. */
function createMissing({ onMissing }: WaitOptions): (isMissing: boolean) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (isMissing) => {
    if (isMissing && onMissing) timer ??= setTimeout(onMissing, MAX_MISSING_MS);
    else timer = void clearTimeout(timer);
  };
}

/** Remembers why a step does not show, and reports it when the step is given up. */
function createProblem(active: ActiveExperience, { id, step_trigger }: PageStep, isFirst: boolean) {
  const startedAt = performance.now();
  // A first step that is triggered by its element may wait for the element forever. A later step would block the tour.
  const mayWait = isFirst && step_trigger === 'element_match';
  const problem = {
    reason: undefined as Reason | undefined,
    report: () => {
      const { reason } = problem;
      problem.reason = undefined;
      if (reason && !mayWait && performance.now() - startedAt >= MIN_WAIT_FOR_PROBLEM_MS)
        active.report({ ...(id && { step_id: id }), problem: { reason }, href: location.href });
    },
  };
  return problem;
}
