import type { ActiveExperience } from '../active-experience.ts';
import type { Events } from '../core/events.ts';
import { waitForHooks } from '../core/hooks.ts';
import type { DebugDependencies } from '../debug/collect.ts';
import type { Extras } from '../extras/create-extras.ts';
import type { Cleanup, Paint } from '../kind.ts';
import { traits } from '../kinds/traits.ts';
import { find } from '../page/find.ts';
import { safely } from '../page/safely.ts';
import type { EndState, PageButton, PageExperience, PageStep } from '../wire.ts';
import type { Draft } from './exchange.ts';

/** The parts of the core that trying a draft needs. */
export type TryDependencies = Pick<DebugDependencies, 'config' | 'scriptModules' | 'visits' | 'experiences'> & {
  events: Events;
};

/** A draft that is played on the page. */
export interface Playing {
  active: ActiveExperience;
  stop: Cleanup;
}

interface PlayOptions {
  /** The step to begin with. The default is the first one. */
  stepId: string | undefined;
  /** Whether the administrator has jumped to the step, so that it shows on any page. */
  hasJumped: boolean;
  /** Whether the steps wait for their triggers, as for users. */
  isReal: boolean;
  onStep(id: string): void;
  /** Is called when the step is on the screen, or its hint or button is. */
  onShown(): void;
  onEnd(state: EndState, snoozeHours: number | undefined): void;
  /** Is called when something would happen to a user that does not happen here. */
  onMessage(message: string): void;
}

/**
 * Loads the extras that a draft needs beyond its kind, also to test the URL patterns of a launcher. For users, the
 * visit tests these patterns.
 */
export async function loadExtras(
  { scriptModules }: TryDependencies,
  { experience }: Draft,
): Promise<Extras | undefined> {
  const { steps = [], quantifier_urls } = experience;
  return scriptModules.loadExtras({
    ...experience,
    steps: quantifier_urls ? [...steps, { id: '', quantifier_urls }] : steps,
  });
}

/** Plays a draft with the renderer that users get. Nothing is sent to the server, and listeners of the page are not called. */
export async function playDraft(deps: TryDependencies, draft: Draft, options: PlayOptions): Promise<Playing> {
  const { scriptModules, events } = deps;
  const { isReal, stepId, hasJumped, onStep, onShown, onEnd, onMessage } = options;
  const experience = isReal
    ? withEvents(draft.experience)
    : withoutTriggers(draft.experience, hasJumped ? stepId : undefined);
  const { id, kind } = experience;
  const [{ paint }, paintKind, extras, compileCode, media, tourExtras, questions] = await Promise.all([
    deps.experiences.loadRenderer(),
    scriptModules.load(kind),
    loadExtras(deps, draft),
    scriptModules.loadCompiler(experience),
    scriptModules.loadMedia(experience),
    scriptModules.loadTourExtras(experience),
    scriptModules.loadQuestions(experience),
  ]);
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    active.isVisible = false;
    safely(() => active.handle?.stop());
  };
  const active: ActiveExperience = {
    ...{
      experience,
      extras,
      compileCode,
      media: media?.(experience, deps.config.url),
      tourExtras: tourExtras?.(experience),
      hasStarted: false,
      isVisible: false,
      hasSlot: true,
    },
    startStepId: stepId,
    report: ({ problem }) => problem || onShown(),
    requestSlot: () => true,
    beforeStep: (step_id, index) => waitForHooks(events.emit('step', { experience_id: id, kind, step_id, index })),
    saveStep: (next) => {
      active.currentStepId = next;
      onStep(next);
    },
    stop,
    end: (state, item) => {
      stop();
      onEnd(state, item?.snooze_hours);
    },
    show: (other) => onMessage(`Here ${nameOf(draft, other)} would start. It is not started while you try a draft.`),
  };
  active.questions = questions?.(active);
  active.handle = paint(active, withoutEffects(paintKind, onMessage));
  // A hook of the page may have ended it meanwhile.
  if (isStopped) active.handle.stop();
  return { active, stop };
}

function nameOf({ names }: Draft, id: string): string {
  return Object.hasOwn(names, id) ? `“${names[id]}”` : 'a tour or survey that was deleted';
}

/** Returns the Experience as if all events had come: what is tried waits for no event of a user. */
function withEvents(experience: PageExperience): PageExperience {
  return { ...experience, reached: experience.steps?.map(({ id }) => id) };
}

/** Returns the Experience with steps that need only their element. A step that was jumped to shows on any page, and without its hotspot. */
function withoutTriggers(experience: PageExperience, jumpedTo: string | undefined): PageExperience {
  const { kind, steps } = experience;
  if (!steps) return experience;
  const isHint = traits[kind].place === 'element';
  return {
    ...experience,
    steps: steps.map((step): PageStep => {
      const { step_trigger: _, trigger_delay: __, custom_trigger: ___, secondary_trigger, ...rest } = step;
      const { quantifier_urls, ...onAnyPage } = rest;
      // Click and hover say how a hint opens.
      const opens = isHint && /click|hover/.test(secondary_trigger ?? '') && { secondary_trigger };
      const { hotspot: ____, ...opened } = onAnyPage;
      return { ...(isHint ? onAnyPage : step.id === jumpedTo ? opened : rest), ...opens } as PageStep;
    }),
  };
}

/** Paints the draft with buttons that change nothing about the user. */
function withoutEffects(paintKind: Paint, onMessage: (message: string) => void): Paint {
  return (active, ui) => {
    const { runActions } = ui;
    ui.runActions = (button) => {
      const { additional_actions: all = [] } = button;
      const kept = all.filter((action) => action !== 'property' && action !== 'tag_user');
      const message = [
        ...(all.includes('property') ? ['It would set a property of the user.'] : []),
        ...(all.includes('tag_user') ? ['It would tag the user.'] : []),
        ...(all.includes('element_click') ? describeMissing(button) : []),
      ].join(' ');
      if (message) onMessage(`The button was pressed. ${message}`);
      runActions({ ...button, additional_actions: kept });
    };
    return paintKind(active, ui);
  };
}

function describeMissing({ action_element }: PageButton): string[] {
  const isThere = action_element && 'element' in find([action_element]);
  return isThere ? [] : [`The element that it clicks was not found: ${action_element?.selector ?? ''}`];
}
