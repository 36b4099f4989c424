const FADE_MS = 120;
const GLIDE_MS = 180;

export const isReduced = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Fades elements out and removes them. They are inert meanwhile. With reduced motion, they are removed immediately. */
export function fadeOut(elements: HTMLElement[], onRemoved: () => void): void {
  for (const element of elements) {
    // A hidden element must not flash up.
    if (isReduced() || element.style.visibility) {
      element.remove();
      continue;
    }
    element.inert = true;
    element.animate({ opacity: 0 }, FADE_MS).onfinish = () => {
      element.remove();
      onRemoved();
    };
  }
}

/**
 * Lets elements start where those were that fade out now, so that the box and the ring glide from step to step. The end of the
 * animation is the element's own style, so it follows a target that moves meanwhile.
 */
export function glide(root: ParentNode, elements: HTMLElement[]): void {
  for (const element of elements) {
    const old = root.querySelector<HTMLElement>(`.${element.classList[0]}[inert]`);
    if (!old) continue;
    const from = old.getBoundingClientRect();
    const to = element.getBoundingClientRect();
    const { width, height, boxShadow, borderRadius } = getComputedStyle(old);
    const isRing = element.matches('.ring');
    const shift = (start: 'left' | 'top', end: 'right' | 'bottom') => {
      const [first, last] = [from[start] - to[start], from[end] - to[end]];
      // A box that keeps an edge stays at it. Any other glides from center to center.
      return `${isRing ? first : first * last && (first + last) / 2}px`;
    };
    const start = { opacity: 1, translate: `${shift('left', 'right')} ${shift('top', 'bottom')}` };
    element.animate([isRing ? { ...start, width, height, boxShadow, borderRadius } : start, { opacity: 1 }], {
      duration: GLIDE_MS,
      easing: 'ease-out',
    });
    old.remove();
  }
}
