import type { Config } from './config.ts';
import { installApi, type QueuedCall } from './core/api.ts';
import { createEvents } from './core/events.ts';
import { createExperiences } from './core/experiences.ts';
import { createExplicitRequests } from './core/explicit-requests.ts';
import { createModules } from './core/modules.ts';
import { takePickKey } from './core/pick-key.ts';
import { createSendQueue } from './core/send-queue.ts';
import { createTransport } from './core/transport.ts';
import { createUser } from './core/user.ts';
import { createVisits } from './core/visits.ts';
import { listen } from './page/listen.ts';
import { onNavigate, routeOf } from './page/navigate.ts';
import { safely } from './page/safely.ts';
import { createStore } from './page/store.ts';

/*
 * The core knows the user and talks to the server. The code that shows something is in other modules, which are loaded when there is
 * something to show. This file creates the parts of the core and connects them to each other and to the events of the page.
 */

const NAVIGATION_DELAY_MS = 100;

/** The snippet and the loader have created `window.usher`. */
type Stub = { c: Config; q?: QueuedCall[]; d?: DOMStringMap; p?: string; r?: () => void } & Record<string, unknown>;
const { usher } = window as unknown as { usher: Stub };
const config = usher.c;
const pickKey = safely(takePickKey) ?? usher.p;

const events = createEvents();
const store = createStore();
const user = createUser();
const scriptModules = createModules(config, () => visits.current?.href);
const transport = createTransport(config.url);
const queue = createSendQueue(transport, store, () => visits.schedule());
const visits = createVisits({
  ...{ config, transport, store, scriptModules, queue, user, events },
  onResponse: (response) => {
    experiences.apply(response);
    dropReserve();
    visits.runWaiting();
    requests.resume();
    if (response.events) open('page_events');
    if (response.visit.stream) open('stream');
  },
});
const experiences = createExperiences({
  ...{ config, scriptModules, queue, store, events, visits },
  show: (id, request) => void requests.fetchAndStart(id, {}, request),
});
const requests = createExplicitRequests({
  config,
  transport,
  queue,
  store,
  scriptModules,
  events,
  user,
  visits,
  experiences,
});

/** Removes the room that the page has reserved for a banner, if this page has no banner. */
const dropReserve = () => {
  if (!usher.r || experiences.list().some(({ experience }) => experience.reserved_height)) return;
  usher.r();
  store.set('reserve', '0');
};

let route = routeOf(location.href);

safely(() => {
  onNavigate((href) => {
    events.emit('app:navigate', { href });
    void experiences.pageChanged();
    requests.readLink();
    const newRoute = routeOf(href);
    if (newRoute !== route) visits.schedule(NAVIGATION_DELAY_MS);
    route = newRoute;
  });
  listen(window, 'pagehide', () => {
    // The page may close before it has read the messages that the previous page stored. Those messages are sent with
    // the rest.
    safely(queue.restore);
    experiences.renderer?.pageClosed();
    queue.close();
  });
  listen(document, 'visibilitychange', () => void queue.flush());
  listen(window, 'pageshow', (event) => {
    if (!(event as PageTransitionEvent).persisted) return;
    queue.restore();
    visits.schedule();
  });
  listen(window, 'online', () => {
    void queue.flush();
    visits.retry();
  });
});

/*
 * The first access to the storage blocks the page while the browser asks another process. So it happens in the task of the first
 * visit, and not while the script is evaluated.
 */
setTimeout(() => {
  safely(queue.restore);
  safely(requests.readLink);
  visits.begin();
  // The previous page of this tab had the debug panel open.
  if (store.get('debug')) open('debug');
  // A frame of the same origin shares the storage with the page around it, and that page shows the bar.
  if (pickKey || (!window.frameElement && store.get('pick')) || /[?&]usher-pick\b/.test(location.search)) {
    experiences.isHeld = true;
    open('picker', pickKey);
  }
});

const deps = { config, transport, store, events, scriptModules, queue, user, visits, experiences, requests };
const open = (name: 'debug' | 'picker' | 'page_events' | 'stream' | 'consent', argument?: unknown) => {
  scriptModules
    .load(name)
    .then((start) => (start as (...args: unknown[]) => void)(deps, argument))
    .catch(() => {
      // The file could not be loaded. The next visit tries again.
      experiences.isHeld = false;
    });
};
safely(() => {
  // Markup that others have written can name an element so, or a frame that may not be read: only an object of the page counts.
  const { usherSettings } = window as { usherSettings?: { uid?: unknown } };
  const isOwn = usherSettings && Object.getPrototypeOf(usherSettings) === Object.prototype;
  const settings = isOwn ? usherSettings : usher.d;
  // What the page has called itself comes later, so it wins.
  if (settings?.uid) usher.q?.unshift(['identify', [{ ...settings }]]);
});
delete usher.d;
installApi(usher, { ...deps, open });
events.emitSticky('load', undefined);
events.emitSticky('after:account', { token: config.token });
