import { isRecord, readIdentity } from '../engine/identity.ts';
import { ownValue } from '../engine/parse-response.ts';
import type { InitOptions } from '../index.d.ts';
import { safely } from '../page/safely.ts';
import type { Store } from '../page/store.ts';
import type { Events } from './events.ts';
import type { Experiences } from './experiences.ts';
import type { ExplicitRequests } from './explicit-requests.ts';
import type { Parts } from './parts.ts';
import type { SendQueue } from './send-queue.ts';
import type { User } from './user.ts';
import type { Visits } from './visits.ts';

interface ApiDependencies {
  store: Store;
  events: Events;
  parts: Parts;
  queue: SendQueue;
  user: User;
  visits: Visits;
  experiences: Experiences;
  requests: ExplicitRequests;
  debug(token?: unknown): void;
}

/** What pages call as `usher.identify(…)` and so on. The stub that the snippet left has recorded the calls so far. */
export function installApi(
  usher: Record<string, unknown> & { q?: [string, ArrayLike<unknown>][] },
  { store, events, parts, queue, user, visits, experiences, requests, debug }: ApiDependencies,
): void {
  const clear = () => {
    experiences.stopAll();
    visits.clear();
    void queue.flush();
    user.clear();
  };

  const calls: Record<string, (...args: never[]) => void> = {
    clear,
    debug,
    show: requests.show,
    on: events.on,
    off: events.off,
    /** Script files pass their content with it. */
    kind: parts.register,
    init: (options?: InitOptions) => store.enable(options?.storage !== 'none'),
    identify: (first: unknown, second?: unknown) => {
      const identity = readIdentity(first, second);
      if (!identity || user.isRepeated(identity)) return;
      if (user.identity && user.identity.uid !== identity.uid) clear();
      if (user.identify(identity)) visits.schedule();
    },
    set: (properties: unknown) => {
      if (!isRecord(properties)) return;
      user.set(properties);
      visits.schedule();
    },
    track: (name: unknown, properties: unknown = {}) => {
      if (typeof name !== 'string') return;
      // The key makes repeated requests count once. It is not from `Math.random`, which pages replace by a fixed sequence.
      const idempotency_key = crypto.getRandomValues(new Uint32Array(2)).join();
      const item = { name, idempotency_key, properties: isRecord(properties) ? properties : {}, href: location.href };
      visits.whenVisited(({ token }) => queue.add({ token, kind: 'event', item }));
      events.emit('usher:event', { name, properties: item.properties });
    },
  };

  for (const [name, call] of Object.entries(calls))
    usher[name] = (...args: never[]) => safely(() => void call(...args));
  usher.data = {
    profile: {
      get: (key?: string) => {
        const profile = visits.current?.profile;
        return key === undefined ? profile : (ownValue(profile, key) ?? ownValue(user.identity?.properties, key));
      },
    },
  };
  for (const [name, args] of usher.q?.splice(0) ?? []) safely(() => calls[name]?.(...(Array.from(args) as never[])));
}
