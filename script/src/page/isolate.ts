import type { Cleanup } from '../kind.ts';
import { dialogs } from './find.ts';
import { safely } from './safely.ts';

type Handler = (event: Event) => void;

/** The listeners of the renderer and the kinds. */
const listeners = new Set<readonly [target: EventTarget, type: string, handler: Handler]>();

/** Adds an event listener that also receives the events of our own elements. An error that it throws does not reach the page. */
export function addListener(
  target: EventTarget,
  type: string,
  handler: Handler,
  options?: AddEventListenerOptions | boolean,
): Cleanup {
  const listener = [target, type, (event: Event) => safely(() => handler(event))] as const;
  listeners.add(listener);
  target.addEventListener(type, listener[2], options);
  return () => {
    listeners.delete(listener);
    target.removeEventListener(type, listener[2], options);
  };
}

const isolatedTypes =
  'keydown,keypress,keyup,input,pointerdown,pointerup,mousedown,mouseup,click,dblclick,contextmenu,touchstart,touchend,focus,blur,focusin,focusout,copy,cut,paste';

/**
 * Hides events in our own elements from the page: its shortcuts would run while the user types, and its dialogs would close on a
 * click "outside". A dialog or menu that keeps the focus must not see either that the focus moves to one of our elements: it would
 * take the focus back. A listener on the window sees an event before all others, except those added to the window earlier. So it
 * stops the event there and calls the listeners of the renderer itself.
 */
export function isolateEvents(): void {
  const isolate = (event: Event) => {
    const path = event.composedPath();
    const { type, relatedTarget } = event as FocusEvent;
    const losesFocus =
      type === 'focusout' && isOurs(relatedTarget) && (path[0] as Element).closest(`${dialogs},[role=menu]`);
    if (!path.some(isOurs) && !losesFocus) return;
    event.stopImmediatePropagation();
    for (const node of path)
      for (const listener of [...listeners]) {
        const [target, listenerType, handler] = listener;
        if (target === node && listenerType === type && listeners.has(listener)) handler(event);
      }
  };
  for (const type of isolatedTypes.split(',')) addEventListener(type, isolate, true);
}

/** Returns whether it is an element that the script has added to the page. The window has a property of this name too. */
function isOurs(node: EventTarget | null): boolean {
  return node instanceof Element && 'usher' in node;
}
