import type { Cleanup, Ui } from '../kind.ts';
import { rectOf } from '../page/place.ts';
import { describe } from './describe.ts';
import { outerFrameOf } from './neighbors.ts';

/** The name of the element is above it, unless there is no room. */
const LABEL_HEIGHT = 32;

/** Shows which element is chosen, and follows it. */
interface Highlight {
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
        outline.toggleAttribute('data-low', rect.top < LABEL_HEIGHT);
        moveTo(outline, inWindow(rect));
        if (covered) moveTo(shield, rectOf(covered));
        frame = requestAnimationFrame(draw);
      };
      ui.root().prepend(...(covered ? [shield] : []), outline);
      draw();
    },
  };
}

/** Returns the part of a rectangle that is inside of the window, so that the outline and the name of a large element are seen. */
function inWindow({ left, top, right, bottom }: DOMRect): DOMRect {
  const [x, y] = [Math.max(left, 0), Math.max(top, 0)];
  return new DOMRect(
    x,
    y,
    Math.max(Math.min(right, innerWidth) - x, 0),
    Math.max(Math.min(bottom, innerHeight) - y, 0),
  );
}

function moveTo({ style }: HTMLElement, { left, top, width, height }: DOMRect): void {
  for (const [property, value] of Object.entries({ left, top, width, height }))
    style.setProperty(property, `${value}px`);
}
