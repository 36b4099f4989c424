import type { Config } from '../config.ts';
import { canRetry, retryDelay } from '../engine/retry.ts';
import type { Profile } from '../index.d.ts';
import { safely } from '../page/safely.ts';
import type { Store } from '../page/store.ts';
import type { VisitResponse } from '../wire.ts';
import type { Events } from './events.ts';
import type { Modules } from './modules.ts';
import type { SendQueue } from './send-queue.ts';
import type { ServerResponse, Transport } from './transport.ts';
import type { User } from './user.ts';

/** What the page knows from the last visit. */
interface Visit {
  token: string;
  /** The address of the page that the visit was sent for. */
  href: string;
  profile: Profile;
  response: VisitResponse;
  /** When the response came, by `performance.now()`. */
  respondedAt: number;
}

/** Sends visits: who the user is and on which page. The response says what to show. */
export interface Visits {
  /** The last visit; undefined until the server has responded for the current user. */
  readonly current: Visit | undefined;
  schedule(delay?: number): void;
  /** Calls the function now if there is a visit, else when the first response has been applied. */
  whenVisited(run: (visit: Visit) => void): void;
  /** Calls the functions that wait for the first response. */
  runWaiting(): void;
  /** Sends the first visit, if the user is identified, and allows further ones. */
  begin(): void;
  /** Ignores the response of a visit that is in flight, and sends another visit. */
  invalidate(): void;
  /** Retries now if the last visit has failed. */
  retry(): void;
  /** Shows what a response says. */
  apply(response: VisitResponse, href: string): void;
  clear(): void;
}

interface VisitsDependencies {
  config: Config;
  transport: Transport;
  store: Store;
  scriptModules: Modules;
  queue: SendQueue;
  user: User;
  events: Events;
  onResponse(response: VisitResponse): void;
}

export function createVisits(deps: VisitsDependencies): Visits {
  const { config, transport, queue, user, events, onResponse } = deps;
  let current: Visit | undefined;
  let waiting: ((visit: Visit) => void)[] = [];
  let hasBegun = false;
  let isSending = false;
  let isOutdated = false;
  /** The checklists to celebrate. The server says it once, maybe in a response that another visit replaces. */
  let done: string[] = [];
  let failures = 0;
  let lastMessage: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const schedule = (delay = 0) => {
    clearTimeout(timer);
    if (user.identity && hasBegun) timer = setTimeout(send, delay);
  };

  const send = async (): Promise<void> => {
    if (isSending) {
      isOutdated = true;
      return;
    }
    isSending = true;
    isOutdated = false;
    const { identity } = user;
    // Reports are sent before the visit, because what the user has just done decides what shows next.
    await queue.flush();
    const request = { account_token: config.token, ...identity, href: location.href, browser: describeBrowser() };
    events.emit('identify:request', request);
    const post = () => transport.post('/v3/observe/visits', request, false);
    const { status, body }: ServerResponse = await (config.anonymous
      ? deps.scriptModules.load('anonymous').then(
          (send) => send(request, deps, post),
          () => ({ status: 0 }),
        )
      : post());
    isSending = false;
    const response = body as unknown as VisitResponse;
    if (user.identity?.uid !== identity?.uid) done = [];
    else if (status === 200)
      safely(() => {
        for (const one of response.experiences) if (one.celebrate) done.push(one.id);
      });
    if (identity !== user.identity || isOutdated) return schedule();
    if (status === 200) {
      failures = 0;
      safely(() => {
        for (const one of response.experiences) one.celebrate = done.includes(one.id);
        done = [];
        apply(response, request.href);
      });
    } else if (canRetry(status)) schedule(retryDelay(++failures, Math.random()));
    else inform(String(body?.messages));
  };

  /** Logs a hint for the developer who installs the script, once for each message. */
  const inform = (message: string) => {
    if (message !== lastMessage) console.info('Usher:', message);
    lastMessage = message;
  };

  const apply = (response: VisitResponse, href: string) => {
    // The response has objects without a prototype, but the page expects an ordinary object.
    const profile = { ...response.profile };
    current = { token: response.visit.token, href, profile, response, respondedAt: performance.now() };
    if (response.labels) config.labels = response.labels;
    config.themes = response.themes;
    // Without consent there is no visit, and no user.
    if (current.token) {
      events.emit('identify:sync', profile);
      events.emit('after:profile', profile);
    }
    onResponse(response);
    if (response.visit.again_ms) schedule(response.visit.again_ms);
  };

  return {
    get current() {
      return current;
    },
    apply,
    schedule,
    whenVisited: (run) => {
      if (current) run(current);
      else waiting.push(run);
    },
    runWaiting: () => {
      for (const run of waiting.splice(0)) safely(() => current && run(current));
    },
    begin: () => {
      hasBegun = true;
      if (user.identity) void send();
    },
    invalidate: () => {
      isOutdated = true;
    },
    retry: () => {
      if (failures > 0) schedule();
    },
    clear: () => {
      clearTimeout(timer);
      waiting = [];
      current = undefined;
    },
  };
}

function describeBrowser() {
  const { userAgent, language } = navigator;
  // The order matters: the user agent of most browsers also names some of the other browsers.
  const names = { Edg: 'edge', OPR: 'opera', Firefox: 'firefox', Chrome: 'chrome', Safari: 'safari' };
  return {
    x: innerWidth,
    tz: -new Date().getTimezoneOffset() / 60,
    l: language,
    n: Object.entries(names).find(([name]) => userAgent.includes(name))?.[1],
    k: /mobi/i.test(userAgent) ? 'mobile' : 'desktop',
  };
}
