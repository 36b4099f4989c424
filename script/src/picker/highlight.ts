import type { Cleanup, Ui } from '../kind.ts';
import { rectOf } from '../page/place.ts';
import { describe } from './describe.ts';
import { outerFrameOf } from './neighbors.ts';

/** Shows which element is chosen, and follows it. */
export interface Highlight {
  /**
   * Covers the frame that the pointer is in: the page does not receive the pointer events of a frame, so they could not be kept
   * from it.
   */
  readonly shield: Element;
  show(element: Element): void;
  hide: Cleanup;
}

export function createHighlight(ui: Ui, onLost: () => void): Highlight {
  let frame = 0;
  const label = ui.create('span');
  const outline = ui.create('div', { class: 'pick-outline', 'aria-hidden': 'true' }, label);
  const shield = ui.create('div', { class: 'pick-shield', 'aria-hidden': 'true' });

  const hide = () => {
    cancelAnimationFrame(frame);
    outline.remove();
    shield.remove();
  };
  return {
    shield,
    hide,
    show: (element) => {
      hide();
      label.textContent = describe(element);
      const covered = element.localName === 'iframe' ? element : outerFrameOf(element);
      const draw = () => {
        if (!element.isConnected) return onLost();
        const rect = rectOf(element);
        // The name stays inside of the window.
        outline.toggleAttribute('data-low', rect.top < 32);
        moveTo(outline, rect);
        if (covered) moveTo(shield, rectOf(covered));
        frame = requestAnimationFrame(draw);
      };
      ui.root().prepend(...(covered ? [shield] : []), outline);
      draw();
    },
  };
}

function moveTo({ style }: HTMLElement, { left, top, width, height }: DOMRect): void {
  for (const [property, value] of Object.entries({ left, top, width, height }))
    style.setProperty(property, `${value}px`);
}
