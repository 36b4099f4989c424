import { placeBeside } from '../engine/placement.ts';
import type { Cleanup } from '../kind.ts';
import type { PageStep, Side } from '../wire.ts';
import { parentOf } from './find.ts';
import { addListener } from './isolate.ts';
import { isReduced } from './motion.ts';
import { routeOf } from './navigate.ts';
import { runAll } from './run-all.ts';
import type { Watch } from './watch.ts';

/** The page has scrolled to a target that has not moved for this time. */
const SETTLE_MS = 150;
/** See `max-height` in style.css. */
const LOW_WINDOW = 400;

/** Returns the position of a target in the window, also when it is in a frame. */
export function rectOf(target: Element): DOMRect {
  const rect = target.getBoundingClientRect();
  const frame = frameOf(target);
  if (frame) {
    const outer = rectOf(frame);
    rect.x += outer.x + frame.clientLeft;
    rect.y += outer.y + frame.clientTop;
  }
  return rect;
}

function frameOf(target: Element): Element | null | undefined {
  return target.ownerDocument === document ? null : target.ownerDocument.defaultView?.frameElement;
}

/** Passes the position of the target, now and in the frame after each possible move. */
function follow(target: Element, watch: Watch, onMove: (rect: DOMRect | undefined) => void, box: Element): Cleanup {
  let frame = 0;
  let lastState = '';
  // False while the target is scrolled out of the window or of its scroll container.
  let isInView = true;
  const check = () => {
    frame = 0;
    const rect = rectOf(target);
    const state = JSON.stringify([isInView, rect, box.clientWidth, box.clientHeight]);
    if (state === lastState) return;
    lastState = state;
    onMove(isInView ? rect : undefined);
    observeMoves();
  };
  const checkSoon = () => {
    frame ||= requestAnimationFrame(check);
  };
  // The last entry is the newest one.
  const viewObserver = new IntersectionObserver((entries) => {
    isInView = !!entries.at(-1)?.isIntersecting;
    checkSoon();
  });
  /* Some moves, such as animations, have no event. An observer sees that the target leaves the rectangle where it is now. */
  let moveObserver: IntersectionObserver | undefined;
  const observeMoves = (threshold = 1) => {
    moveObserver?.disconnect();
    const { left, top, right, bottom } = target.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    let isFirst = true;
    moveObserver = new IntersectionObserver(
      (entries) => {
        const { intersectionRatio: ratio = 0 } = entries.at(-1) ?? {};
        if (!isFirst) checkSoon();
        // The target is partly hidden, so a change of its visible share means that it has moved.
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
    moveObserver.observe(target);
  };
  const sizeObserver = new ResizeObserver(checkSoon);
  sizeObserver.observe(target);
  sizeObserver.observe(box);
  viewObserver.observe(target);
  const cleanups = [watch.add(checkSoon)];
  for (let element: Element | null | undefined = target; element; element = frameOf(element))
    cleanups.push(addListener(element.ownerDocument, 'scroll', checkSoon, { capture: true, passive: true }));
  check();
  return () => {
    cancelAnimationFrame(frame);
    for (const observer of [moveObserver, sizeObserver, viewObserver]) observer?.disconnect();
    runAll(cleanups);
  };
}

/** Puts a box beside its target and keeps it there, or at its position of the window. */
export function place(
  box: HTMLElement,
  target: Element | null,
  { placement, screen_position = 'center' }: Pick<PageStep, 'placement' | 'screen_position'>,
  watch: Watch,
  onMove?: (rect: DOMRect | undefined) => unknown,
): Cleanup {
  const { dataset, style } = box;
  if (!target) {
    dataset.at = screen_position;
    return () => {};
  }
  let side: Side | undefined;
  /** Runs until the page has scrolled to the target. Null when it has. */
  let timer: ReturnType<typeof setTimeout> | null | undefined;
  const move = (rect: DOMRect | undefined) => {
    if (timer) clearTimeout(timer);
    if (onMove?.(rect) || !rect) return;
    const view = { width: document.documentElement.clientWidth, height: innerHeight };
    const { scrollHeight = 0, clientHeight = 0 } = box.querySelector('.main') ?? {};
    // In a low window, the box scrolls as a whole.
    const isLow = view.height <= LOW_WINDOW;
    const whole = Math.min(box.offsetHeight + (isLow ? 0 : scrollHeight - clientHeight), view.height - 32);
    const placed = placeBeside(rect, { width: box.offsetWidth, height: whole }, view, placement, side);
    const { left, top, height, arrow } = placed;
    dataset.side = side = placed.side;
    style.maxHeight = height < whole && !isLow ? `${height}px` : '';
    // Moving by a transform does not count as a layout shift of the page.
    style.transform = `translate(${left}px,${top}px)`;
    style.setProperty('--arrow', `${arrow}px`);
    if (timer === null) return;
    timer = setTimeout(() => {
      timer = null;
      // While the page scrolled to the target, another side may have had more room.
      side = undefined;
      move(rect);
    }, SETTLE_MS);
  };
  const stop = follow(target, watch, move, box);
  return () => {
    if (timer) clearTimeout(timer);
    stop();
  };
}

/**
 * Remembers the scroll positions of the containers around a target. If they have changed when the returned function is
 * called, it returns a function that scrolls back. On another page there is nothing to go back to.
 */
export function rememberScroll(target: Element | null): () => (() => void) | undefined {
  const route = routeOf(location.href);
  let places: [element: Element, left: number, top: number][] = [];
  for (let element = target ?? undefined; element; element = parentOf(element))
    places.push([element, element.scrollLeft, element.scrollTop]);
  return () => {
    // The document of a removed frame has no window. Its elements are dropped, because they would keep it in memory.
    places = places.filter(([{ ownerDocument }]) => ownerDocument.defaultView);
    const isSamePage = routeOf(location.href) === route;
    const moved = places.filter(
      ([{ isConnected, scrollLeft, scrollTop }, left, top]) =>
        isSamePage && isConnected && (scrollLeft !== left || scrollTop !== top),
    );
    const restore = () => {
      for (const [element, left, top] of moved) element.scrollTo(left, top);
    };
    return moved[0] && restore;
  };
}

export function isInWindow(target: Element): boolean {
  const { top, bottom, left, right } = rectOf(target);
  return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
}

export function scrollIntoView(target: Element): void {
  // `nearest` does not move a target that is in view, also within its scroll container.
  const block = isInWindow(target) ? 'nearest' : 'center';
  target.scrollIntoView({ block, inline: 'nearest', behavior: isReduced() ? 'instant' : 'smooth' });
}
