import { type RefObject, useEffect, useRef } from 'react';

/** Calls back when somebody clicks outside of an element, moves the focus out of it, or clicks into the document of a frame. */
export function useClickElsewhere(element: RefObject<HTMLElement | null>, onLeave: () => void): void {
  const latest = useRef(onLeave);
  latest.current = onLeave;
  useEffect(() => {
    const onEvent = ({ target }: Event) => {
      if (!element.current?.contains(target as Node)) latest.current();
    };
    // Events of a frame stay in its document, but the window loses the focus to the frame. If the window loses it to
    // another window, nothing is called.
    const onBlur = () => {
      if (document.activeElement instanceof HTMLIFrameElement) latest.current();
    };
    document.addEventListener('pointerdown', onEvent, true);
    document.addEventListener('focusin', onEvent);
    addEventListener('blur', onBlur);
    return () => {
      document.removeEventListener('pointerdown', onEvent, true);
      document.removeEventListener('focusin', onEvent);
      removeEventListener('blur', onBlur);
    };
  }, [element]);
}
