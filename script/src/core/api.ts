import type { Config } from '../config.ts';
import { isRecord, readIdentity } from '../engine/identity.ts';
import { ownValue } from '../engine/parse-response.ts';
import type { InitOptions, Usher } from '../index.d.ts';
import { safely } from '../page/safely.ts';
import type { Store } from '../page/store.ts';
import type { Events } from './events.ts';
import type { Experiences } from './experiences.ts';
import type { ExplicitRequests } from './explicit-requests.ts';
import type { Modules } from './modules.ts';
import type { SendQueue } from './send-queue.ts';
import type { User } from './user.ts';
import type { Visits } from './visits.ts';

/**
 * A call from before the script has loaded. If there is a third value, the stub has returned a promise, and this value resolves
 * it.
 */
export type QueuedCall = [name: string, args: ArrayLike<unknown>, resolve?: (result: unknown) => void];

/** Where calls wait until the user has consented. */
export interface Gate {
  /** The calls of `identify`, `set`, `track` and `clear` that wait. Undefined while none have to wait. */
  held?: QueuedCall[];
  call(queued: QueuedCall): unknown;
}

interface ApiDependencies {
  config: Config;
  store: Store;
  events: Events;
  scriptModules: Modules;
  queue: SendQueue;
  user: User;
  visits: Visits;
  experiences: Experiences;
  requests: ExplicitRequests;
  /** Loads a module, and starts it. */
  open(name: 'debug' | 'consent', argument: unknown): void;
}

/** The calls that script/src/index.d.ts promises. */
type ApiCalls = { [Name in Exclude<keyof Usher, 'data'>]: (...args: never[]) => ReturnType<Usher[Name]> };

/**
 * Installs the functions that pages call, such as `usher.identify(…)`. The stub of the snippet has recorded the calls
 * so far.
 */
export function installApi(
  usher: Record<string, unknown> & { q?: QueuedCall[] },
  { config, store, events, scriptModules, queue, user, visits, experiences, requests, open }: ApiDependencies,
): void {
  const clear = () => {
    experiences.stopAll();
    visits.clear();
    void queue.flush();
    user.clear();
    store.set('anonymous', undefined, true);
  };

  /** The tour or survey in front. It may wait for its next step, also if a previous page has shown the steps before. */
  const front = () => {
    const all = experiences.list();
    return all.find(({ hasSlot }) => hasSlot) ?? all.find(({ experience }) => experience.step_id);
  };
  const go = (by: number) => {
    const active = front();
    if (active?.isVisible) active.handle?.go?.(by);
  };

  const calls: ApiCalls & Record<string, (...args: never[]) => unknown> = {
    clear,
    debug: (token: unknown) => open('debug', token),
    consent: (wanted: unknown) => {
      gate.held ??= [];
      store.enable(false, 1);
      open('consent', { gate, wanted });
    },
    show: requests.show,
    next: () => go(1),
    previous: () => go(-1),
    close: () => front()?.handle?.close?.(),
    isShowing: (id?: string) =>
      experiences
        .list()
        .some(({ isVisible, hasSlot, experience }) => isVisible && (id === undefined ? hasSlot : experience.id === id)),
    on: events.on,
    once: events.once,
    off: events.off,
    before: events.on,
    /** Script files call this function to pass their content to the core. */
    kind: scriptModules.register,
    init: (options?: InitOptions) => store.enable(options?.storage !== 'none'),
    identify: (first: unknown, second?: unknown) => {
      const identity = readIdentity(first, second, config.anonymous);
      if (!identity || user.isRepeated(identity)) return;
      const known = user.identity;
      // A user who signs in is the same person, so what shows goes on, and what was reported is theirs.
      if (known && identity.uid && known.uid !== identity.uid) (known.uid ? clear : user.clear)();
      if (user.identify(identity)) visits.schedule();
    },
    set: (properties: unknown) => {
      if (!isRecord(properties)) return;
      user.set(properties);
      visits.schedule();
    },
    track: (name: unknown, properties: unknown = {}) => {
      if (typeof name !== 'string') return;
      // The server counts requests with the same key once. The key is not from `Math.random`, which pages replace by a fixed
      // sequence.
      const idempotency_key = crypto.getRandomValues(new Uint32Array(2)).join();
      const item = { name, idempotency_key, properties: isRecord(properties) ? properties : {}, href: location.href };
      visits.whenVisited(({ token }) => queue.add({ token, kind: 'event', item }));
      events.emit('usher:event', { name, properties: item.properties });
    },
  };

  const gate: Gate = {
    call: ([name, args, resolve]) =>
      safely(() => {
        if (gate.held && /^(id|set|t|cle)/.test(name)) return void gate.held.push([name, args]);
        const result = calls[name]?.(...(Array.from(args) as never[]));
        resolve?.(result);
        return result;
      }),
  };
  for (const name of Object.keys(calls)) usher[name] = (...args: never[]) => gate.call([name, args]);
  usher.data = {
    profile: {
      get: (key?: string) => {
        const profile = visits.current?.profile;
        return key === undefined ? profile : (ownValue(profile, key) ?? ownValue(user.identity?.properties, key));
      },
    },
  };
  usher.q?.splice(0).forEach(gate.call);
}
