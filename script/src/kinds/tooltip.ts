import { findPrimaryButton, moveLast } from '../../../domain/src/content/primary-button.ts';
import type { ActiveExperience } from '../active-experience.ts';
import type { Box, Cleanup, Paint, Ui } from '../kind.ts';
import { runAll } from '../page/run-all.ts';
import { registerModule } from '../register-module.ts';
import type { PageStep } from '../wire.ts';
import css from './tooltip.css';

const infoIcon = 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M12 11.5v5M12 7.8v.1';
const OPEN_DELAY_MS = 120;
/** The pointer needs this time to move from the target into the box. */
const CLOSE_DELAY_MS = 250;

/** A tooltip has hints at elements. Each step is one hint, independent of the others. */
const paint: Paint = (active, ui) => {
  ui.addStyle(css);
  const shown = new Set<PageStep>();
  const setShown = (step: PageStep, isShown: boolean) => {
    shown[isShown ? 'add' : 'delete'](step);
    active.isVisible = shown.size > 0;
  };
  const cleanups = (active.experience.steps ?? []).map((step) =>
    addHint(active, ui, step, (isShown) => setShown(step, isShown)),
  );
  return { stop: () => runAll(cleanups) };
};

function addHint(
  active: ActiveExperience,
  ui: Ui,
  { secondary_trigger: opensOn, ...step }: PageStep,
  setShown: (isShown: boolean) => void,
): Cleanup {
  const hasIcon = step.position_type === 'inline';
  const cleanups: Cleanup[] = [];
  const lost = () => {
    runAll(cleanups);
    setShown(false);
  };
  const found = (target: Element | null) => {
    lost();
    if (!target) return;
    setShown(true);
    const opener = hasIcon ? addIcon(ui, step, target, cleanups) : target;
    cleanups.push(openOnDemand(active, ui, step, opener, opensOn === 'click'));
    active.report({ state: 'displayed', step_id: step.id });
  };
  // Click and hover open the hint. They are not triggers that its icon waits for.
  const trigger = opensOn && !/click|hover/.test(opensOn) && { secondary_trigger: opensOn };
  const stopWaiting = ui.waitFor(
    { ...step, ...trigger, position_type: 'snap_to_element' },
    { onFound: found, onLost: lost },
  );
  return () => runAll([stopWaiting, lost]);
}

const cannotContainIcon = /^(input|select|textarea|img|video|iframe|canvas|svg|button|a)$/;

function addIcon(ui: Ui, step: PageStep, target: Element, cleanups: Cleanup[]): HTMLElement {
  const where = cannotContainIcon.test(target.localName) ? 'afterend' : 'beforeend';
  const { root, remove } = ui.insertInline(target, where);
  (root.host as HTMLElement).dataset.hint = '';
  const name = `${ui.label('more')}: ${ui.nameOf(step)}`;
  const button = ui.create(
    'button',
    { class: `hint${ui.theme}`, type: 'button', 'aria-label': name },
    ui.icon(infoIcon),
  );
  root.append(button);
  cleanups.push(remove);
  return button;
}

/** Opens the hint on hover, focus and click, or on click alone. */
function openOnDemand(
  active: ActiveExperience,
  ui: Ui,
  step: PageStep,
  opener: Element,
  onlyOnClick: boolean,
): Cleanup {
  // The opener is an element of the page, which may open a popup of its own.
  const setExpanded = (isOpen: boolean) => {
    if (opener.matches('.hint')) opener.ariaExpanded = `${isOpen}`;
  };
  setExpanded(false);
  const cleanups: Cleanup[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancelTimer = () => clearTimeout(timer);
  let isClosing = false;
  const close = () => {
    cancelTimer();
    // The focus returns to the opener, which must not open the hint again.
    isClosing = true;
    runAll(cleanups);
    isClosing = false;
  };
  const later = (run: () => void, delay: number) => () => {
    cancelTimer();
    timer = setTimeout(run, delay);
  };
  const closeLater = later(close, CLOSE_DELAY_MS);
  const listen = (target: EventTarget, handlers: Record<string, (event: Event) => unknown>) =>
    Object.entries(handlers).map(([name, handler]) => ui.on(target, name, handler));
  // A button of an Experience may click the opener. Nothing would close the hint then.
  const byUser = (run: () => void) => (event: Event) => event.isTrusted && run();
  const isInteractive = !!step.buttons || JSON.stringify(step.body ?? '').includes('["a",');
  const open = (byClick = false) => {
    if (isInteractive && byClick) close();
    cancelTimer();
    if (cleanups.length > 0 || isClosing) return;
    active.report({ state: 'started', step_id: step.id });
    const { element, stop } = openHint(active, ui, step, opener, close, { isInteractive, byClick });
    setExpanded(true);
    cleanups.push(stop, () => setExpanded(false));
    // The pointer and the focus may move into the hint.
    if (!onlyOnClick) {
      const [enter, leave] = [cancelTimer, closeLater];
      cleanups.push(...listen(element, { pointerenter: enter, focusin: enter, pointerleave: leave, focusout: leave }));
    }
  };
  const stopListening = listen(
    opener,
    onlyOnClick
      ? { click: byUser(() => (cleanups.length > 0 ? close() : open(true))) }
      : {
          ...{ pointerenter: later(open, OPEN_DELAY_MS), pointerleave: closeLater },
          ...{ focusin: () => open(), focusout: closeLater, click: byUser(() => open(true)) },
        },
  );
  return () => runAll([...stopListening, close]);
}

function openHint(
  active: ActiveExperience,
  ui: Ui,
  { backdrop: _, ...step }: PageStep,
  opener: Element,
  close: () => void,
  { isInteractive, byClick }: { isInteractive: boolean; byClick: boolean },
): Box {
  const primary = findPrimaryButton(step.buttons ?? []);
  const buttons = moveLast(step.buttons ?? [], primary).map((button) =>
    ui.button(button === primary ? 'act first' : 'act', ui.toNodes(button.text), () => {
      active.report({ button_id: button.id, step_id: step.id });
      close();
      if (button.tour_action === 'exit') active.end('exited', { step_id: step.id });
      ui.runActions(button);
    }),
  );
  const footer = buttons.length > 0 ? [ui.create('div', { class: 'acts' }, ...buttons)] : [];
  const role = isInteractive ? 'dialog' : 'tooltip';
  // An interactive hint takes the focus on a click. Screen readers announce any other hint.
  const takeFocus = isInteractive && byClick;
  // Readers expect a hint below or above its element, also where a side has more room.
  const placement = (step.placement !== 'auto' && step.placement) || 'bottom';
  return ui.openBox({ ...step, placement }, opener, { className: 'tip', role, footer, close, opener, takeFocus });
}

registerModule('tooltip', paint);
