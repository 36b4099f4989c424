import type { Cleanup, Ui } from '../kind.ts';
import { isOurs } from '../page/find.ts';
import { runAll } from '../page/run-all.ts';
import { coverFrames } from './cover-frames.ts';
import { createHighlight } from './highlight.ts';
import { childrenOf, elementAt, outerFrameOf, parentOf, siblingOf } from './neighbors.ts';

export interface Picking {
  /** Lets the administrator use the page, until it is called with false. */
  usePage(isUsed: boolean): void;
  choose(element: Element | undefined): void;
  stop: Cleanup;
}

interface PickingOptions {
  /**
   * Is called with the chosen element. `byKey`: the arrow keys have moved to it, so a screen reader should announce it.
   */
  onChoose(element: Element | undefined, byKey: boolean): void;
  onPick(element: Element): void;
  /** Is called when the page can be used, or no longer can. */
  onUse(isUsed: boolean): void;
  onEnd(): void;
}

const pointerTypes =
  'pointerdown,pointermove,pointerup,pointercancel,pointerover,pointerout,pointerenter,pointerleave,mousedown,mousemove,mouseup,mouseover,mouseout,mouseenter,mouseleave,click,dblclick,auxclick,contextmenu,touchstart,touchmove,touchend,touchcancel,dragstart,selectstart';
/** Events on which the browser itself acts: it follows links, moves the focus, opens lists and selects text. */
const preventedTypes = /^(mousedown|click|dblclick|auxclick|contextmenu|dragstart|selectstart)$/;
const hoverTypes = /^pointer(down|move|over)$/;
const keys = /^(Arrow(Up|Down|Left|Right)|Enter|Escape)$/;

/**
 * A control that is as small as a button is chosen as a whole, and not the icon in it. A link that is a whole card is
 * not.
 */
const controls = 'button,a[href],summary,[role=button],[role=tab],[role=menuitem],[role=option],[role=link]';
const MAX_CONTROL_HEIGHT = 64;
const disabledFields = 'button:disabled,input:disabled,select:disabled,textarea:disabled';

/** Lets the administrator choose an element with the pointer and the arrow keys. The page does not receive these events. */
export function startPicking(ui: Ui, { onChoose, onPick, onUse, onEnd }: PickingOptions): Picking {
  let chosen: Element | undefined;
  /** The elements that Arrow up has left, for Arrow down. */
  let trail: Element[] = [];
  let pointer = { x: -1, y: -1 };
  /** The element that the pointer was pressed on. */
  let pressed: Element | undefined;
  let isToggled = false;
  let isAltDown = false;
  let isTabbing = false;

  const choose = (element: Element | undefined, byKey = false) => {
    if (element === chosen) return;
    chosen = element;
    const frame = element && outerFrameOf(element);
    if (frame) covers.add(frame);
    if (element) highlight.show(element);
    else highlight.hide();
    onChoose(element, byKey);
  };
  const highlight = createHighlight(ui, () => choose(undefined));
  let covers = coverFrames(ui);
  const isUsed = () => isToggled || isAltDown;
  const use = (next: { toggled?: boolean; altDown?: boolean }) => {
    const before = isUsed();
    isToggled = next.toggled ?? isToggled;
    isAltDown = next.altDown ?? isAltDown;
    if (isUsed() === before) return;
    covers.stop();
    if (before) covers = coverFrames(ui);
    onUse(!before);
    // The page may have changed below the pointer.
    choose(next.altDown === false ? meantBy(elementAt(pointer.x, pointer.y)) : undefined);
  };

  const hover = ({ clientX: x, clientY: y }: MouseEvent, target: EventTarget | undefined) => {
    // The browser also sends these events when the page scrolls below a resting pointer.
    if (chosen && x === pointer.x && y === pointer.y) return;
    pointer = { x, y };
    trail = [];
    isTabbing = false;
    choose(meantBy(covers.has(target) ? elementAt(x, y) : toElement(target)));
  };

  const onPointer = (event: Event) => {
    const { type, altKey } = event as MouseEvent;
    const path = event.composedPath();
    const [target] = path;
    // Code of the page can also click on elements, which must not pick anything.
    if (!event.isTrusted || (!covers.has(target) && path.some(isOurs))) return;
    if (hoverTypes.test(type)) use({ altDown: altKey });
    if (isUsed()) {
      if (hoverTypes.test(type)) pointer = { x: (event as MouseEvent).clientX, y: (event as MouseEvent).clientY };
      if (type === 'click' && altKey) followLink(event as MouseEvent);
      return;
    }
    event.stopImmediatePropagation();
    if (preventedTypes.test(type)) event.preventDefault();
    if (hoverTypes.test(type)) hover(event as MouseEvent, target);
    if (type === 'pointerdown') pressed = chosen;
    // A browser sends no click for a disabled button. After a drag, it sends a click to the element around both ends.
    const isClick = type === 'click' || (type === 'pointerup' && toElement(target)?.closest(disabledFields));
    if (isClick && chosen && chosen === pressed && (event as MouseEvent).button === 0) onPick(chosen);
  };

  const move = (key: string) => {
    const from = chosen?.isConnected ? chosen : document.body;
    let next: Element | undefined;
    if (key === 'ArrowUp') {
      next = parentOf(from);
      if (next && next !== document.documentElement) trail.push(from);
    } else if (key === 'ArrowDown') {
      const children = childrenOf(from);
      const left = trail.pop();
      next = left && children.includes(left) ? left : children[0];
    } else {
      trail = [];
      next = siblingOf(from, key === 'ArrowRight' ? 1 : -1);
    }
    if (!next || next === document.documentElement) return;
    ui.scrollIntoView(next);
    choose(next, true);
  };

  const onKey = (event: Event) => {
    const { type, key, altKey, ctrlKey, metaKey, isComposing } = event as KeyboardEvent;
    const path = event.composedPath();
    const isInBar = path.some(isOurs);
    if (key === 'Alt') {
      // Without this, some browsers open their menu.
      event.preventDefault();
      use({ altDown: type === 'keydown' });
    }
    if (key === 'Tab') isTabbing = true;
    if (altKey || ctrlKey || metaKey || isComposing || !keys.test(key)) return;
    // The page needs these keys while the administrator uses it. Escape in the bar still ends the pick.
    if (isUsed() && !(isInBar && key === 'Escape')) return;
    const isButton = isInBar && toElement(path[0])?.closest('button');
    if (isButton && key === 'Enter') return;
    event.stopImmediatePropagation();
    event.preventDefault();
    if (type !== 'keydown') return;
    if (key === 'Escape') onEnd();
    else if (key !== 'Enter') move(key);
    else if (chosen && !(event as KeyboardEvent).repeat) onPick(chosen);
  };

  const cleanups: Cleanup[] = [highlight.hide, () => covers.stop()];
  const capture = { capture: true };
  for (const type of pointerTypes.split(',')) cleanups.push(ui.on(window, type, onPointer, capture));
  for (const type of ['keydown', 'keypress', 'keyup']) cleanups.push(ui.on(window, type, onKey, capture));
  cleanups.push(
    // An administrator who goes to another window releases Alt there. When the bar loses the focus, an event of the
    // same name comes from the bar.
    ui.on(window, 'blur', ({ target }) => target === window && use({ altDown: false })),
    ui.on(window, 'focusin', (event) => {
      const path = event.composedPath();
      if (isTabbing && !isUsed() && !path.some(isOurs)) choose(toElement(path[0]), true);
    }),
  );
  return {
    choose,
    usePage: (toggled) => use({ toggled }),
    stop: () => runAll(cleanups),
  };
}

/** With Alt, browsers save the target of a link instead of following it, and routers of the page leave the click to the browser. */
function followLink(event: MouseEvent): void {
  const [target] = event.composedPath();
  if (!toElement(target)?.closest('a[href]')) return;
  event.stopImmediatePropagation();
  event.preventDefault();
  const { clientX, clientY, detail } = event;
  const options = { bubbles: true, cancelable: true, composed: true, view: window, clientX, clientY, detail };
  target?.dispatchEvent(new MouseEvent('click', options));
}

function toElement(target: EventTarget | null | undefined): Element | undefined {
  const node = target as Partial<Node> | null | undefined;
  // An element of a frame is an instance of the frame's own class.
  return node?.nodeType === Node.ELEMENT_NODE ? (node as Element) : undefined;
}

function meantBy(element: Element | undefined): Element | undefined {
  const control = element?.closest(controls);
  if (control && control.getBoundingClientRect().height <= MAX_CONTROL_HEIGHT) return control;
  return element?.closest('svg') ?? (element?.localName === 'html' ? undefined : element);
}
