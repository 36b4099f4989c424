import type { Properties, ShowOptions, TourEvent, Usher, UsherEvents } from '../index.d.ts';
import { safely } from '../page/safely.ts';

type Handler = (name: unknown, options: unknown) => unknown;
type AliasCall = (...args: unknown[]) => unknown;
export type Calls = Record<
  'identify' | 'alias' | 'track' | 'set' | 'show' | 'clear' | 'on' | 'off' | 'admin' | 'custom' | 'help',
  AliasCall
>;

interface Alias {
  calls: Calls;
  data: { profile: object };
  /** Implements `config.navigate`. */
  navigate(address: string): boolean;
}

/** The calls of another service, made of the public calls of Usher. These are read at each call, because the core replaces those of the snippet. */
export function createCalls(usher: Usher, global: string): Alias {
  let isIdentified = false;
  let entries: { name: unknown; handler: Handler; stop(): void }[] = [];

  /** Does nothing, and says so to developers who show the messages of level "debug" in the console. */
  const ignore = (name: string, why: string) => console.debug(`Usher: ${global}.${name} does nothing: ${why}`);
  const unsupported = (name: string) => () => ignore(name, 'Usher has nothing for it');

  const identify = (...args: unknown[]) => {
    const [first] = args;
    isIdentified ||= Boolean(first);
    usher.identify(...(args as Parameters<Usher['identify']>));
  };
  const set = (first: unknown, value?: unknown) =>
    usher.set(typeof first === 'string' ? { [first]: value } : (first as Properties));

  const listen = (name: unknown, handler: Handler): (() => void) => {
    const [, kind] = /^(tour|survey|embed|launcher|tooltip):event$/.exec(String(name)) ?? [];
    if (kind)
      return usher.on('tour:event', (event) => {
        if (event.kind === kind) handler(nameOf(event), { id: event.experience_id, ...event });
      });
    if (name === `${global}:event`) return usher.on('usher:event', ({ name, properties }) => handler(name, properties));
    const own = name === `load:${global}` ? 'load' : (name as keyof UsherEvents);
    return usher.on(own, (data: unknown) => handler(data, data));
  };
  const off = (name: unknown, handler?: unknown) => {
    const isMeant = (entry: (typeof entries)[number]) => entry.name === name && (!handler || entry.handler === handler);
    for (const entry of entries.filter(isMeant)) entry.stop();
    entries = entries.filter((entry) => !isMeant(entry));
  };

  const calls: Calls = {
    identify,
    set,
    off,
    alias: (uid) => {
      if (!isIdentified) identify(uid);
      else ignore('alias', 'a user has one uid in Usher');
    },
    track: (name, properties) => usher.track(name as string, properties as Properties),
    show: (id, options) =>
      usher.show(id as string, { redirect: true, skip_url_match: false, ...(options as ShowOptions) }),
    clear: () => {
      isIdentified = false;
      usher.clear();
    },
    on: (name, passed) => {
      if (typeof passed !== 'function') return () => {};
      const handler = passed as Handler;
      // A handler for navigation is not called for events: it is asked to navigate.
      const stop = name === 'app:navigate' ? () => {} : listen(name, handler);
      entries.push({ name, handler, stop });
      return () => off(name, handler);
    },
    admin: unsupported('admin'),
    custom: unsupported('custom'),
    help: unsupported('help'),
  };

  return {
    calls: Object.fromEntries(
      Object.entries(calls).map(([name, call]) => [name, (...args: unknown[]) => safely(() => call(...args))]),
    ) as Calls,
    data: {
      profile: {
        get: (key?: string) => safely(() => usher.data.profile.get(key as string)),
        set: (...args: [unknown, unknown]) => safely(() => set(...args)),
        toJSON: () => safely(() => usher.data.profile.get()),
      },
    },
    navigate: (address) =>
      safely(() => {
        const url = new URL(address, location.href);
        const handler = entries.filter(({ name }) => name === 'app:navigate').at(-1)?.handler;
        // The router of a page knows only addresses of its own origin.
        if (!handler || url.origin !== location.origin) return false;
        const options = { to: url.pathname + url.search + url.hash };
        // Some handlers read the options from the first value, others from the second, as with other events.
        handler(options, options);
        return true;
      }) ?? false,
  };
}

/** What has happened, in one word, as the topics of webhooks have it. */
function nameOf({ state, button_id, response, problem }: TourEvent): string {
  if (problem) return 'problem';
  return state ?? (response ? 'response' : button_id ? 'button.clicked' : 'step');
}
