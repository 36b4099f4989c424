import type { Cleanup, Ui } from '../kind.ts';
import { moveIntoModal } from '../page/move-into-modal.ts';
import { runAll } from '../page/run-all.ts';
import css from './picker.css';

/** The texts and buttons of the bar. */
interface View {
  title: string;
  text?: string;
  /** The second line, in small letters. */
  note?: string;
  content?: HTMLElement[];
  actions?: Action[];
}

export interface Action {
  label: string;
  onClick(button: HTMLElement): void;
  /** Whether it is the primary button. */
  isFirst?: boolean;
  /** Whether the button stays pressed until it is clicked again. */
  isToggle?: boolean;
  /** Whether the toggle is pressed now. */
  isPressed?: boolean;
  /** Whether the button is shown, but does nothing. */
  isDisabled?: boolean;
}

/** The bar of the picker. It is in the layer of the renderer, like the debug panel. */
export interface Bar {
  show(view: View): void;
  /** Changes the text without touching the rest: a button that is replaced between press and release loses the click. */
  setText(text: string): void;
  /** Changes the small text without touching the rest. */
  setNote(note: string): void;
  /** Moves the focus into the bar, unless the user is somewhere in the page. */
  focus(): void;
  stop: Cleanup;
}

interface BarOptions {
  moved: boolean;
  onMove(isMoved: boolean): void;
  onEscape(): void;
}

const CHECK_MS = 500;
const MOVE_ICON = 'M8 4v15l-4-4M16 20V5l4 4';

type Sides = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>;
const overlaps = (one: Sides, other: Sides) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

export function createBar(ui: Ui, { moved, onMove, onEscape }: BarOptions): Bar {
  ui.addStyle(css);
  const text = ui.create('p');
  const note = ui.create('p', { class: 'pick-note' });
  const main = ui.create('div', { class: 'pick-main' });
  const actions = ui.create('div', { class: 'acts pick-acts' });
  let isMovedByHand = false;
  const move = ui.button('pick-tool', [ui.icon(MOVE_ICON)], () => {
    isMovedByHand = true;
    onMove(bar.toggleAttribute('data-moved'));
  });
  move.ariaLabel = move.title = 'Move to the other edge';
  const bar = ui.create(
    'div',
    { class: 'pick', role: 'region', 'aria-label': 'Usher picker', tabindex: '-1' },
    ...[main, actions, move],
  );
  bar.toggleAttribute('data-moved', moved);
  ui.root().append(bar);
  // While the page has a modal dialog, the browser blocks everything else. A click on the bar would close a popover.
  const stayUsable = () => moveIntoModal(ui, bar);
  /** Moves the bar to the other edge if it covers the step that the administrator tries. On a phone, boxes are at the bottom. */
  const stayAside = () => {
    if (isMovedByHand) return;
    const boxes = [...ui.root().querySelectorAll('.box')].map((box) => box.getBoundingClientRect());
    const { left, right, top, bottom } = bar.getBoundingClientRect();
    const mirrored = { left, right, top: innerHeight - bottom, bottom: innerHeight - top };
    const covers = (sides: Sides) => boxes.some((box) => overlaps(sides, box));
    if (covers({ left, right, top, bottom }) && !covers(mirrored)) bar.toggleAttribute('data-moved');
  };
  const timer = setInterval(() => {
    stayUsable();
    stayAside();
  }, CHECK_MS);
  const cleanups: Cleanup[] = [
    () => clearInterval(timer),
    () => bar.remove(),
    ui.on(window, 'toggle', stayUsable, { capture: true }),
    ui.on(bar, 'keydown', (event) => {
      if ((event as KeyboardEvent).key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      onEscape();
    }),
  ];

  const createAction = ({ label, onClick, isFirst, isToggle, isPressed = false, isDisabled }: Action) => {
    const button = ui.button(isFirst ? 'act first' : 'act', [label], () => {
      if (isDisabled) return;
      if (isToggle) button.ariaPressed = `${button.ariaPressed !== 'true'}`;
      onClick(button);
    });
    if (isToggle) button.ariaPressed = `${isPressed}`;
    // With `aria-disabled` instead of `disabled`, the button keeps the focus.
    if (isDisabled) button.ariaDisabled = 'true';
    return button;
  };
  const setText = (element: HTMLElement, value = '') => {
    if (element.textContent !== value) element.textContent = value;
  };
  const focusFirst = (label?: string | null) => {
    const same = label && [...actions.querySelectorAll('button')].find(({ textContent }) => textContent === label);
    if (same) return same.focus({ preventScroll: true });
    const first = bar.querySelector<HTMLElement>('[data-focus],.first') ?? bar;
    first.focus({ preventScroll: true });
  };

  return {
    show: (view) => {
      const hadFocus = bar.matches(':focus-within');
      const label = actions.querySelector(':focus')?.textContent;
      setText(text, view.text);
      setText(note, view.note);
      main.replaceChildren(ui.create('h2', {}, view.title), text, ...(view.content ?? []), note);
      actions.replaceChildren(...(view.actions ?? []).map(createAction));
      if (hadFocus) focusFirst(label);
    },
    setText: (value) => setText(text, value),
    setNote: (value) => setText(note, value),
    focus: () => {
      if (document.activeElement !== document.body) return;
      cleanups.push(ui.focus(bar, true));
      focusFirst();
    },
    stop: () => runAll(cleanups),
  };
}
