import { findPrimaryButton, moveLast, stepOffsetOf } from '../../../domain/src/content/primary-button.ts';
import type { ActiveExperience } from '../active-experience.ts';
import type { Box, BoxOptions, Cleanup, Handle, LabelName, Reason, Ui, Walk, WalkOptions } from '../kind.ts';
import type { PageStep } from '../wire.ts';
import { offerReturn } from './box.ts';
import { rememberScroll } from './place.ts';
import { runAll } from './run-all.ts';
import { safely } from './safely.ts';

/** A step without buttons may be followed by a step that waits for one of these actions of the user. */
const userTriggers = /click|hover|input|custom_trigger/;
/** With more steps than this, the progress is a number instead of dots. */
const MAX_DOTS = 7;

/** Leads the user through the steps of an Experience, one box at a time. */
export function walkThrough(
  active: ActiveExperience,
  ui: Ui,
  { draw, state, canBeHotspot, isInline, onPainted }: WalkOptions,
): Handle {
  const steps = active.experience.steps ?? [];
  const { tourExtras: extras } = ui;
  const seen = new Set<string>();
  const waits: Cleanup[] = [];
  let index = Math.max(
    0,
    steps.findIndex(({ id }) => id === active.startStepId),
  );
  let box: Box | undefined;
  /** The action of the close button of the last box. */
  let close: BoxOptions['close'];
  /** Whether the user was inside of the box of the previous step. Then the next box takes the focus too. */
  let hadFocus = false;
  let scrollBack: ReturnType<typeof rememberScroll> | undefined;
  /** Removes the button that leads back to a target that is no longer in the page. */
  let removeReturn: Cleanup | undefined;

  /** Returns the index of the step that is this number of steps away. The rules of a survey may lead elsewhere. */
  const indexAfter = (by: number) => active.questions?.follow(index, by) ?? index + by;
  const hide = () => {
    removeReturn?.();
    if (!box) return;
    hadFocus = box.element.matches(':focus-within');
    box.stop();
    box = undefined;
  };
  const stop = () => {
    runAll(waits);
    hide();
  };

  /** Returns whether the next step waits for the user to do something other than to press a button. */
  const isNextTriggered = () => {
    const next = steps[indexAfter(1)];
    return next?.step_trigger === 'event' || userTriggers.test(next?.secondary_trigger ?? '');
  };

  const move = (by: number, isTriggered = false) => {
    stop();
    index = indexAfter(by);
    const step = steps[index];
    if (!step) return;
    active.saveStep(step.id);
    const { secondary_trigger: _, trigger_delay: __, ...others } = step;
    const isEvent = step.step_trigger === 'event';
    const stepWithoutTriggers = isEvent ? { ...others, step_trigger: 'page_load' as const } : others;
    const onLost = (reason: Reason) => {
      // A virtual list has only the visible rows in the page. A row comes back when the list is scrolled to its
      // previous place.
      const scroll = /covered|url/.test(reason) || !active.hasSlot ? undefined : scrollBack?.();
      // The target is still missing. The button is removed when it would no longer lead to the step.
      if (!box) return scroll ? undefined : removeReturn?.();
      hide();
      if (scroll)
        removeReturn = offerReturn(
          ui,
          () => {
            hide();
            scroll();
          },
          hadFocus,
        );
      hadFocus = false;
    };
    const skip = () => walk.go(by < 0 && index > 0 ? by : 1);
    waits.push(
      // An event that has come once need not come again when the user goes back.
      ui.waitFor(isTriggered || (isEvent && seen.has(step.id)) ? stepWithoutTriggers : step, {
        onFound: (target) => paint(step, target),
        onLost,
        onMissing: by === 0 ? undefined : skip,
        beforeStep: () => active.beforeStep(step.id, index),
        isInline,
      }),
    );
    const next = steps[indexAfter(1)];
    if (next && !step.buttons && isNextTriggered())
      waits.push(ui.waitFor(next, { onFound: () => move(1, true), isInline }));
  };

  const paint = (step: PageStep, target: Element | null) => {
    hide();
    scrollBack = rememberScroll(target);
    if (target && !isInline) ui.scrollIntoView(target);
    const options = draw(step, walk);
    close = options.close;
    box = ui.openBox(step, target, { ...options, takeFocus: hadFocus || undefined });
    if (!seen.has(step.id)) active.report({ ...(seen.size === 0 && { state }), step_id: step.id });
    seen.add(step.id);
    onPainted?.(step, walk, box.element);
  };

  const walk: Walk = {
    go: (by) => {
      const next = indexAfter(by);
      if (next < 0) return;
      if (steps[next]) move(by);
      else walk.end('completed');
    },
    end: (endState, snooze_hours) => {
      const { id: step_id } = steps[index] as PageStep;
      stop();
      active.questions?.forget();
      active.end(endState, { step_id, ...(snooze_hours !== undefined && { snooze_hours }) });
    },
    later: (run, delayMs) => {
      const timer = setTimeout(() => safely(run), delayMs);
      const cancel = () => clearTimeout(timer);
      waits.push(cancel);
      return cancel;
    },
    press: (button, isAnswer) => {
      const { tour_action = button.additional_actions && !isAnswer ? undefined : 'next' } = button;
      active.report({ button_id: button.id, step_id: (steps[index] as PageStep).id });
      // The actions come last: one may leave the page, or create what the next step waits for.
      if (tour_action === 'snooze') snooze();
      else if (tour_action === 'exit') walk.end(isAnswer ? 'completed' : 'exited');
      else if (tour_action) walk.go(stepOffsetOf(button));
      ui.runActions(button);
    },
    footer: (step) => {
      const count = steps.length;
      const name = { 'aria-label': ui.label('progress', index + 1, count), lang: ui.label('language') };
      const dots = steps.map((_, at) => ui.create('i', { class: at === index ? 'now' : '' }));
      const content = count > MAX_DOTS ? [`${index + 1} / ${count}`] : dots;
      const progress = ui.create('span', { class: 'count', role: 'img', ...name }, ...content);
      return [
        ...(count > 1 ? [progress] : []),
        ...walk.dismissButton(step),
        ...walk.buttonRow(step.buttons ? walk.stepButtons(step.buttons) : defaultButtons()),
      ];
    },
    dismissButton: ({ snooze_hours, snooze_choices, dismiss_text, buttons }) => {
      // A button of the author that snoozes stands for the link.
      const canSnooze =
        (snooze_choices || snooze_hours !== undefined) && !buttons?.some(({ tour_action }) => tour_action === 'snooze');
      if (!canSnooze && !dismiss_text) return [];
      const text = dismiss_text ? ui.toNodes(dismiss_text) : 'snooze';
      return [ui.button('link', text, () => (canSnooze ? snooze() : walk.end('exited')))];
    },
    stepButtons: (buttons = [], onSubmit) => {
      const primary = findPrimaryButton(buttons);
      return moveLast(buttons, primary).map((button) => {
        // An arrow key must neither choose one of several answers nor run an action.
        const isOnly = buttons.every((other) => other === button || stepOffsetOf(other) !== stepOffsetOf(button));
        const by = isOnly && !button.additional_actions ? stepOffsetOf(button) : 0;
        return stepButton(button === primary, ui.toNodes(button.text), by, () =>
          onSubmit && button === primary ? onSubmit(button) : walk.press(button),
        );
      });
    },
    buttonRow: (buttons) => (buttons.length > 0 ? [ui.create('div', { class: 'acts' }, ...buttons)] : []),
  };

  /** Puts the step off for the time of its author, or for one of several times. */
  const snooze = () => {
    const step = steps[index] as PageStep;
    const end = (hours: number | undefined) => walk.end('snoozed', hours);
    if (extras && box) extras.snooze(ui, step, box.element, end);
    else end(step.snooze_hours);
  };

  /** Creates a button that an arrow key presses too, if it leads to another step. */
  const stepButton = (isPrimary: boolean, content: Node[] | LabelName, by: number, onClick: () => void) => {
    const button = ui.button(isPrimary ? 'act first' : 'act', content, onClick);
    if (by && steps[indexAfter(by)]) button.dataset.by = `${by}`;
    return button;
  };

  /** The buttons of a step for which the author wrote none. */
  const defaultButtons = (): HTMLElement[] => {
    if (isNextTriggered()) return [];
    const forward = stepButton(true, steps[indexAfter(1)] ? 'next' : 'done', 1, () => walk.go(1));
    return indexAfter(-1) >= 0 ? [stepButton(false, 'back', -1, () => walk.go(-1)), forward] : [forward];
  };

  const [first] = steps;
  // Somebody who asks for the Experience, or is in the middle of it, gets its step without the hotspot.
  if (extras && canBeHotspot && first?.hotspot && index === 0 && !active.skipTriggers && !active.experience.step_id)
    waits.push(
      extras.showHotspot(active, ui, first, () => {
        active.isWanted = hadFocus = true;
        move(0, true);
      }),
    );
  else move(0);
  return { stop, go: walk.go, close: () => (close ? close() : walk.end('exited')) };
}
