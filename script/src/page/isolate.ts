import type { Cleanup } from '../kind.ts';
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
 * click "outside". A listener on the window sees an event before all others, except those added to the window earlier. So it
 * stops the event there and calls the listeners of the renderer itself.
 */
export function isolateEvents(): void {
  const isolate = (event: Event) => {
    const path = event.composedPath();
    if (!path.some(isOurs)) return;
    event.stopImmediatePropagation();
    for (const node of path)
      for (const listener of [...listeners]) {
        const [target, type, handler] = listener;
        if (target === node && type === event.type && listeners.has(listener)) handler(event);
      }
  };
  for (const type of isolatedTypes.split(',')) addEventListener(type, isolate, true);
}

/** Returns whether it is an element that the script has added to the page. The window has a property of this name too. */
function isOurs(node: EventTarget): boolean {
  return node instanceof Element && 'usher' in node;
}
