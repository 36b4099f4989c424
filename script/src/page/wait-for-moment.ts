import type { Conditions } from '../engine/trigger.ts';
import type { Cleanup } from '../kind.ts';
import { parentOf } from './find.ts';
import type { addListener } from './isolate.ts';
import { runAll } from './run-all.ts';

/** Waits until the user is about to leave the page, or has scrolled far enough. */
interface Moment {
  /** Starts to wait. Each further call looks again how far the user has scrolled, because the page has changed. */
  arm(): void;
  disarm: Cleanup;
}

type Listen = (type: string, handler: (event: Event) => void, target?: Document) => void;

/** A page that is still empty becomes long in a moment. It must have been too short to scroll for this time. */
const SETTLED_MS = 1000;
/** A swipe must move the page by half of the window within this time. */
const SWIPE_MS = 300;
/** The page scrolls on after a swipe. Later, it is code of the page that scrolls. */
const TOUCHED_MS = 500;

/** Nothing here keeps the user on the page: all listeners are passive, and none is for `beforeunload`. */
export function createMoment(
  { isExit, scrollPercent = 0 }: Conditions,
  findElements: () => Element[],
  onMoment: () => void,
  addListenerTo: typeof addListener,
): Moment {
  const cleanups: Cleanup[] = [];
  let measure = () => {};
  const start = () => {
    const listen: Listen = (type, handler, target = document) =>
      cleanups.push(addListenerTo(target, type, handler, { capture: true, passive: true }));
    if (isExit) watchExit(listen, onMoment);
    else measure = watchScroll(listen, cleanups, findElements, scrollPercent, onMoment);
  };
  return {
    arm: () => {
      if (cleanups.length === 0) start();
      measure();
    },
    disarm: () => runAll(cleanups),
  };
}

/** Waits until the pointer leaves the window at its top, where tabs and addresses are. Touch screens have other signs. */
function watchExit(listen: Listen, onMoment: () => void): void {
  listen('mouseout', (event) => {
    const { relatedTarget, clientY } = event as MouseEvent;
    if (!relatedTarget && clientY <= 0) onMoment();
  });
  if (!matchMedia('(hover:none)').matches) return;
  let wasHidden = document.hidden;
  listen('visibilitychange', () => {
    if (wasHidden && !document.hidden) onMoment();
    wasHidden = document.hidden;
  });
  let touchedAt = -TOUCHED_MS;
  listen('touchmove', ({ timeStamp }) => {
    touchedAt = timeStamp;
  });
  let from = { target: null as EventTarget | null, top: 0, at: 0 };
  listen('scroll', ({ target, timeStamp: at }) => {
    const top = topOf(target as Node);
    if (target !== from.target || top > from.top || at - from.at > SWIPE_MS) from = { target, top, at };
    if (at - touchedAt < TOUCHED_MS && from.top - top >= innerHeight / 2) onMoment();
  });
}

/** Returns a function that looks how far the user has scrolled. It runs with each scroll, too. */
function watchScroll(
  listen: Listen,
  cleanups: Cleanup[],
  findElements: () => Element[],
  percent: number,
  onMoment: () => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let observed: Document | undefined;
  const onScroll = () => measure();
  const measure = (isSettled?: boolean) => {
    const scroller = findScroller(findElements()[0]);
    // A scroll event does not leave its frame.
    if (observed !== scroller.ownerDocument) {
      observed = scroller.ownerDocument;
      listen('scroll', onScroll, observed);
    }
    const length = scroller.scrollHeight - scroller.clientHeight;
    if (length > 1) {
      timer = void clearTimeout(timer);
      // Positions are not whole pixels where the page is zoomed.
      if (scroller.scrollTop + 1 >= (length * percent) / 100) onMoment();
    } else if (isSettled && document.readyState === 'complete') onMoment();
    else
      timer ??= setTimeout(() => {
        timer = undefined;
        measure(true);
      }, SETTLED_MS);
  };
  cleanups.push(() => clearTimeout(timer));
  return onScroll;
}

function topOf(target: Node): number {
  return ((target as Document).scrollingElement ?? (target as Element)).scrollTop;
}

/**
 * Returns what scrolls: the element itself, the closest container around it, or the page. Where the page itself does not
 * scroll, the container in the center of the window does.
 */
function findScroller(element: Element | undefined): Element {
  if (element && scrolls(element)) return element;
  const { scrollingElement, documentElement } = element?.ownerDocument ?? document;
  const page = scrollingElement ?? documentElement;
  if (!element && isLong(page)) return page;
  let outer = element ?? document.elementFromPoint(innerWidth / 2, innerHeight / 2) ?? undefined;
  while (outer && !(scrolls(outer) && isLong(outer))) outer = parentOf(outer);
  return outer ?? page;
}

function isLong({ scrollHeight, clientHeight }: Element): boolean {
  return scrollHeight - clientHeight > 1;
}

/** The overflow of the body is that of the page. */
function scrolls(element: Element): boolean {
  return element.localName !== 'body' && /auto|scroll/.test(getComputedStyle(element).overflowY);
}
