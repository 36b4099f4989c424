import type { Cleanup, Page, PageButton, PageStep, Shown } from '../kind.ts';
import { type Box, type BoxParts, openBox, press, stopAll } from './box.ts';

/** The way of a user through the steps of an Experience. */
export interface Walk {
  steps: readonly PageStep[];
  index: number;
  /** Past the last step is the end. */
  go(by: number): void;
  end(state: 'completed' | 'exited' | 'snoozed'): void;
  /** The user pressed a button. One that answers leads on, unless it says otherwise. */
  press(button: PageButton, answers?: boolean): void;
}

export interface WalkOptions {
  /** What a step has below its texts. */
  draw(step: PageStep, walk: Walk): BoxParts;
  /** The state that the first step reports. */
  state: 'started' | 'displayed';
  /** Each time a step is there. */
  painted?(step: PageStep): void;
}

/** What the user does by itself, so that a step without buttons can be followed by one that waits for it. */
const waitsForUser = new Set<unknown>(['click', 'hover', 'input', 'custom_trigger']);

export function walkThrough(shown: Shown, page: Page, { draw, state, painted }: WalkOptions): Cleanup {
  const steps = shown.experience.steps ?? [];
  const seen = new Set<string>();
  let box: Box | undefined;
  const waits: Cleanup[] = [];
  /** Whether the user comes from a step before. */
  let inside = false;

  const hide = () => {
    if (!box) return;
    inside = box.isEntered();
    box.stop();
    box = undefined;
  };
  const stop = () => {
    stopAll(waits);
    hide();
  };
  const walk: Walk = {
    steps,
    index: Math.max(
      0,
      steps.findIndex(({ id }) => id === shown.startAt),
    ),
    go: (by) => {
      if (walk.index + by < 0) return;
      if (!steps[walk.index + by]) return walk.end('completed');
      move(by);
    },
    end: (how) => {
      const { id: step_id, snooze_hours } = steps[walk.index] as PageStep;
      stop();
      shown.end(how, { step_id, ...(how === 'snoozed' && snooze_hours !== undefined && { snooze_hours }) });
    },
    press: (button, answers) => {
      const { tour_action = button.additional_actions && !answers ? undefined : 'next' } = button;
      shown.report({ button_id: button.id, step_id: (steps[walk.index] as PageStep).id });
      // First the way, then the actions: one of them may leave the page, or make what the next step waits for.
      if (tour_action === 'exit') walk.end(answers ? 'completed' : 'exited');
      else if (tour_action) walk.go(tour_action === 'next' ? 1 : -1);
      shown.run(button);
    },
  };

  const move = (by: number, isTriggered = false) => {
    stop();
    walk.index += by;
    const step = steps[walk.index];
    if (!step) return;
    shown.at(step.id);
    const found = (target: Element | null) => {
      hide();
      if (target) page.reveal(target);
      box = openBox(page, step, target, { ...draw(step, walk), enter: inside || undefined });
      if (seen.size === 0) shown.report({ state, step_id: step.id });
      else if (!seen.has(step.id)) shown.report({ step_id: step.id });
      seen.add(step.id);
      painted?.(step);
    };
    const lost = () => {
      hide();
      inside = false;
    };
    const { secondary_trigger: _, trigger_delay: __, ...untriggered } = step;
    waits.push(page.waitFor(isTriggered ? untriggered : step, found, lost));
    const next = steps[walk.index + 1];
    if (next && !step.buttons && waitsForUser.has(next.secondary_trigger))
      waits.push(page.waitFor(next, () => move(1, true)));
  };
  move(0);
  return stop;
}

/** How far the user is, what dismisses a step or puts it off, and its buttons. */
export function footOf(page: Page, walk: Walk, step: PageStep): Node[] {
  const { steps, index } = walk;
  const count = page.make('span', { class: 'count' }, page.t('progress', index + 1, steps.length));
  return [
    ...(steps.length > 1 ? [count] : []),
    ...wayOut(page, walk, step),
    ...rowOf(page, buttonsOf(page, walk, step)),
  ];
}

/** What puts the step off, where it can be, or dismisses it. */
export function wayOut(page: Page, walk: Walk, { snooze_hours, dismiss_text }: PageStep): Node[] {
  const later = snooze_hours !== undefined;
  if (!later && !dismiss_text) return [];
  const text = dismiss_text ? page.write(dismiss_text) : [page.t('snooze')];
  return [press(page, 'link', text, () => walk.end(later ? 'snoozed' : 'exited'))];
}

export function rowOf(page: Page, buttons: Node[]): Node[] {
  return buttons.length > 0 ? [page.make('div', { class: 'acts' }, ...buttons)] : [];
}

function buttonsOf(page: Page, walk: Walk, step: PageStep): HTMLElement[] {
  const { steps, index } = walk;
  if (step.buttons) return ownButtons(page, walk, step.buttons);
  const next = steps[index + 1];
  if (next && waitsForUser.has(next.secondary_trigger)) return [];
  const forward = press(page, 'act first', [page.t(next ? 'next' : 'done')], () => walk.go(1));
  return index > 0 ? [press(page, 'act', [page.t('back')], () => walk.go(-1)), forward] : [forward];
}

/** One of them stands out: the one that leads on. */
export function ownButtons(page: Page, walk: Walk, buttons: PageButton[] = []): HTMLElement[] {
  const onward = buttons.find(({ tour_action }) => tour_action !== 'previous' && tour_action !== 'exit');
  return buttons.map((button) =>
    press(page, button === (onward ?? buttons[0]) ? 'act first' : 'act', page.write(button.text), () =>
      walk.press(button),
    ),
  );
}
