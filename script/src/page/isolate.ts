import type { Cleanup } from '../kind.ts';
import { closest, dialogs, isOurs } from './find.ts';
import { safely } from './safely.ts';

type Handler = (event: Event) => void;

/** The event listeners of the renderer and the kinds. */
const listeners = new WeakMap<EventTarget, Set<readonly [type: string, handler: Handler]>>();

/**
 * Adds an event listener that also receives the events of the script's own elements. An error that it throws does not
 * reach the page.
 */
export function addListener(
  target: EventTarget,
  type: string,
  handler: Handler,
  options?: AddEventListenerOptions | boolean,
): Cleanup {
  const listener = [type, (event: Event) => safely(() => handler(event))] as const;
  const ofTarget = listeners.get(target) ?? new Set();
  listeners.set(target, ofTarget.add(listener));
  target.addEventListener(...listener, options);
  return () => {
    ofTarget.delete(listener);
    target.removeEventListener(...listener, options);
  };
}

const isolatedTypes =
  'keydown,keypress,keyup,input,pointerdown,pointerup,mousedown,mouseup,click,dblclick,contextmenu,touchstart,touchend,focus,blur,focusin,focusout,copy,cut,paste';

/**
 * Hides events in the script's own elements from the page: shortcuts of the page would run while the user types, and
 * its dialogs would close on a click "outside". A dialog or menu that keeps the focus must also not see that the focus
 * moves to one of these elements: it would take the focus back. A listener on the window sees an event before all
 * listeners but the earlier ones of the window. So this listener stops the event there, and calls the listeners of the
 * renderer.
 */
export function isolateEvents(): void {
  const isolate = (event: Event) => {
    const path = event.composedPath();
    const { type, relatedTarget } = event as FocusEvent;
    const losesFocus =
      type === 'focusout' &&
      isOurs(relatedTarget) &&
      closest(path[0] as Element, (element) => element.matches(`${dialogs},[role=menu]`));
    if (!path.some(isOurs) && !losesFocus) return;
    event.stopImmediatePropagation();
    for (const node of path) {
      const ofNode = listeners.get(node);
      for (const listener of [...(ofNode ?? [])]) if (listener[0] === type && ofNode?.has(listener)) listener[1](event);
    }
  };
  for (const type of isolatedTypes.split(',')) addEventListener(type, isolate, true);
}
