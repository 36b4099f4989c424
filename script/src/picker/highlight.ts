import type { Cleanup, Ui } from '../kind.ts';
import { rectOf } from '../page/place.ts';
import { describe } from './describe.ts';

/**
 * The height of the name of an element. The name is above the element, below it where there is no room, or else inside.
 */
const LABEL_HEIGHT = 32;

/** Shows which element is chosen, and follows it. */
interface Highlight {
  show(element: Element): void;
  hide: Cleanup;
}

/** Creates a highlight. Of several highlights one is `chosen`; the `other` ones have no label. */
export function createHighlight(ui: Ui, onLost: () => void, rank: 'chosen' | 'other' = 'chosen'): Highlight {
  let frame = 0;
  const label = ui.create('span');
  const outline = ui.create(
    'div',
    { class: `pick-outline pick-${rank}`, 'aria-hidden': 'true' },
    ...(rank === 'chosen' ? [label] : []),
  );

  const hide = () => {
    cancelAnimationFrame(frame);
    outline.remove();
  };
  return {
    hide,
    show: (element) => {
      hide();
      label.textContent = describe(element);
      const draw = () => {
        if (!element.isConnected) return onLost();
        const rect = inWindow(rectOf(element));
        outline.dataset.label = sideOfLabel(rect);
        outline.toggleAttribute('data-right', rect.left > innerWidth / 2);
        moveTo(outline, rect);
        frame = requestAnimationFrame(draw);
      };
      ui.root().append(outline);
      draw();
    },
  };
}

function sideOfLabel({ top, bottom }: DOMRect): string {
  if (top >= LABEL_HEIGHT) return 'above';
  return bottom + LABEL_HEIGHT <= innerHeight ? 'below' : 'inside';
}

/**
 * Returns the part of a rectangle that is inside of the window, so that the outline and the name of a large element are
 * visible.
 */
function inWindow({ left, top, right, bottom }: DOMRect): DOMRect {
  const [x, y] = [Math.max(left, 0), Math.max(top, 0)];
  return new DOMRect(
    x,
    y,
    Math.max(Math.min(right, innerWidth) - x, 0),
    Math.max(Math.min(bottom, innerHeight) - y, 0),
  );
}

export function moveTo({ style }: HTMLElement, { left, top, width, height }: DOMRect): void {
  for (const [property, value] of Object.entries({ left, top, width, height }))
    style.setProperty(property, `${value}px`);
}
