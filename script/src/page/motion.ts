const FADE_MS = 120;
const GLIDE_MS = 180;

export const isReduced = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Fades elements out and removes them. They are inert meanwhile. With reduced motion, they are removed immediately. */
export function fadeOut(elements: HTMLElement[], onRemoved: () => void): void {
  for (const element of elements) {
    // An element that is hidden must not become visible for the fade.
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
 * Lets elements start at the place of the elements that fade out now, so that the box and the ring glide from step to step. The end of the
 * animation is the element's own style, so it follows a target that moves meanwhile.
 */
export function glide(root: ParentNode, elements: HTMLElement[]): void {
  for (const element of elements) {
    const old = root.querySelector(`.${element.classList[0]}[inert]:not(.tip,.list)`);
    if (!old) continue;
    const [from, to] = [old.getBoundingClientRect(), element.getBoundingClientRect()];
    const translate = `${from.left - to.left}px ${from.top - to.top}px`;
    // Only the ring has a size of its own, so only its size changes gradually.
    const { width, height } = element.style.width ? getComputedStyle(old) : element.style;
    element.animate([{ opacity: 1, translate, width, height }, { opacity: 1 }], {
      duration: GLIDE_MS,
      easing: 'ease-out',
    });
    old.remove();
  }
}
