import type { Experiences } from '../core/experiences.ts';
import type { Visits } from '../core/visits.ts';
import { isOurs } from '../page/find.ts';
import { listen } from '../page/listen.ts';
import { onNavigate, routeOf } from '../page/navigate.ts';
import { safely } from '../page/safely.ts';
import { isOn } from './is-on.ts';

interface Dependencies {
  experiences: Pick<Experiences, 'isHeld'>;
  visits: Pick<Visits, 'current'>;
}

/** The pages that this view of the page has counted, by user. A view ends when the address has another path or query. */
let counted = new Set<string>();
let isListening = false;

/** Counts the events of the last visit. It is called after each visit with events, and listens from the first one on. */
export function countPageEvents(deps: Dependencies): void {
  if (!isListening) listenForEvents(deps);
  isListening = true;
  const { experiences, visits } = deps;
  const { current } = visits;
  if (!current || experiences.isHeld || !isSamePage(current.href)) return;
  for (const { name, elements } of current.response.events ?? []) {
    const key = `${current.profile.id} ${name}`;
    if (elements || counted.has(key)) continue;
    counted.add(key);
    track(name);
  }
}

function listenForEvents({ experiences, visits }: Dependencies): void {
  /** A click on a label is followed by one on its field, in the same task. They count as one. */
  let clicked = new Set<string>();
  const onClick = (event: Event) => {
    const path = event.composedPath();
    const { current } = visits;
    // Code of the page can also click on elements, and our own elements are not the page.
    if (!event.isTrusted || !current || experiences.isHeld || path.some(isOurs)) return;
    for (const { name, elements, is_local } of current.response.events ?? []) {
      if (!elements || clicked.has(name) || (is_local && !isSamePage(current.href))) continue;
      if (!safely(() => isOn(path, elements))) continue;
      clicked.add(name);
      setTimeout(() => {
        clicked = new Set();
      });
      track(name);
    }
  };
  // The page may remove the element while it handles the click, so this listener is called first. It prevents nothing.
  window.addEventListener('click', (event) => safely(() => onClick(event)), { capture: true, passive: true });
  let route = routeOf(location.href);
  const newView = () => {
    counted = new Set();
  };
  onNavigate((href) => {
    if (routeOf(href) !== route) newView();
    route = routeOf(href);
  });
  listen(window, 'pageshow', (event) => {
    if ((event as PageTransitionEvent).persisted) newView();
  });
}

/** Whether the page is still the one that the visit was for. */
function isSamePage(visited: string): boolean {
  return routeOf(visited) === routeOf(location.href);
}

/** Counts as calls of the page's own code do, so that listeners and triggers get it. */
function track(name: string): void {
  (window as unknown as { usher: { track(name: string): void } }).usher.track(name);
}
