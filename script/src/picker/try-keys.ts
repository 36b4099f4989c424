import type { Cleanup, Ui } from '../kind.ts';

/**
 * Lets Tab reach the bar. A step with a backdrop keeps Tab inside of its box and its target, because users can click nothing else.
 */
export function letTabReach(ui: Ui): Cleanup {
  const onKey = (event: Event) => {
    const { key, shiftKey, altKey, ctrlKey, metaKey } = event as KeyboardEvent;
    const root = ui.root();
    if (key !== 'Tab' || altKey || ctrlKey || metaKey || !root.querySelector('.backdrop')) return;
    const focused = root.activeElement as HTMLElement | null;
    const buttons = [...root.querySelectorAll<HTMLElement>('.pick button')];
    const inBox = [...root.querySelectorAll<HTMLElement>('.box :is(a[href],button,input,textarea,select)')];
    const step = shiftKey ? -1 : 1;
    const at = focused ? buttons.indexOf(focused) : -1;
    const isLeaving = focused !== null && focused === (shiftKey ? inBox[0] : inBox.at(-1));
    // At the end of the bar, the step takes the focus again.
    const next = at >= 0 ? buttons[at + step] : isLeaving ? buttons.at(shiftKey ? -1 : 0) : undefined;
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
  };
  return ui.on(window, 'keydown', onKey, { capture: true });
}
