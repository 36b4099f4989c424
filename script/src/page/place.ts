import { placeBeside } from '../engine/placement.ts';
import type { Cleanup, PageStep } from '../kind.ts';
import { listen } from './navigate.ts';
import type { Watch } from './watch.ts';

/** Where a target is in the window, also when it is in a frame. */
function rectOf(target: Element): DOMRect {
  const { left, top, width, height } = target.getBoundingClientRect();
  const frame = frameOf(target);
  const outer = frame ? rectOf(frame) : { left: 0, top: 0 };
  const [x, y] = frame ? [frame.clientLeft, frame.clientTop] : [0, 0];
  return new DOMRect(outer.left + x + left, outer.top + y + top, width, height);
}

function frameOf(target: Element): Element | null | undefined {
  return target.ownerDocument === document ? null : target.ownerDocument.defaultView?.frameElement;
}

/** Tells where the target is, at once and in each frame after it may have moved. */
export function follow(
  target: Element,
  watch: Watch,
  moved: (rect: DOMRect | undefined) => void,
  box: Element = target,
): Cleanup {
  let frame = 0;
  let before = '';
  // Scrolled out of the window, or of what it scrolls in, it is not.
  let isInSight = true;
  const look = () => {
    frame = 0;
    const rect = rectOf(target);
    const now = [isInSight, rect.left, rect.top, rect.width, rect.height, box.clientWidth, box.clientHeight].join();
    if (now === before) return;
    before = now;
    moved(isInSight ? rect : undefined);
    observeMoves();
  };
  const soon = () => {
    frame ||= requestAnimationFrame(look);
  };
  const sight = new IntersectionObserver(([entry]) => {
    isInSight = !!entry?.isIntersecting;
    soon();
  });
  /* A move that nothing announces, such as an animation, takes the target out of the very rectangle it is in. */
  let moves: IntersectionObserver | undefined;
  const observeMoves = (threshold = 1) => {
    moves?.disconnect();
    const { left, top, right, bottom } = target.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    let isFirst = true;
    moves = new IntersectionObserver(
      ([entry]) => {
        const { intersectionRatio: ratio = 0 } = entry ?? {};
        if (!isFirst) soon();
        // Where it is cut off, any other share of it is a move.
        else if (ratio > 0 && ratio < threshold) observeMoves(ratio);
        isFirst = false;
      },
      {
        rootMargin: [top, clientWidth - right, clientHeight - bottom, left]
          .map((edge) => `${-Math.floor(edge)}px`)
          .join(' '),
        threshold,
      },
    );
    moves.observe(target);
  };
  const sizes = new ResizeObserver(soon);
  sizes.observe(target);
  sizes.observe(box);
  sight.observe(target);
  const undo = [watch.add(soon), listen(window, 'resize', soon)];
  for (let one: Element | null | undefined = target; one; one = frameOf(one))
    undo.push(listen(one.ownerDocument, 'scroll', soon, { capture: true, passive: true }));
  look();
  return () => {
    cancelAnimationFrame(frame);
    for (const observer of [moves, sizes, sight]) observer?.disconnect();
    for (const one of undo) one();
  };
}

export function place(
  box: HTMLElement,
  target: Element | null,
  { placement, screen_position = 'center' }: Pick<PageStep, 'placement' | 'screen_position'>,
  watch: Watch,
): Cleanup {
  const { dataset, style } = box;
  if (!target) {
    dataset.at = screen_position;
    return () => {};
  }
  const put = (rect: DOMRect | undefined) => {
    style.setProperty('visibility', rect ? '' : 'hidden');
    if (!rect) return;
    const size = { width: box.offsetWidth, height: box.offsetHeight };
    const view = { width: document.documentElement.clientWidth, height: innerHeight };
    const { left, top, side, arrow } = placeBeside(rect, size, view, placement);
    dataset.side = side;
    for (const [name, value] of Object.entries({ left, top, '--arrow': arrow })) style.setProperty(name, `${value}px`);
  };
  return follow(target, watch, put, box);
}

export function reveal(target: Element): void {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const { top, bottom, left, right } = rectOf(target);
  // `nearest` leaves what is in sight, also within what it scrolls in.
  const block = top < 0 || left < 0 || bottom > innerHeight || right > innerWidth ? 'center' : 'nearest';
  target.scrollIntoView({ block, inline: 'nearest', behavior: still ? 'instant' : 'smooth' });
}
