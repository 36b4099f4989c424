import type { Config } from '../config.ts';
import type { ShowExperience } from '../extras/show-experience.ts';
import type { ShowOptions, ShowResult } from '../index.d.ts';
import type { Store } from '../page/store.ts';
import type { ExplicitRequest } from '../wire.ts';
import type { Events } from './events.ts';
import type { Experiences } from './experiences.ts';
import type { Modules } from './modules.ts';
import type { SendQueue } from './send-queue.ts';
import type { Transport } from './transport.ts';
import type { User } from './user.ts';
import type { Visits } from './visits.ts';

/** Shows Experiences that somebody asked for: code of the page, a link, a launcher, or a button of another Experience. */
export interface ExplicitRequests {
  /** Implements `usher.show`. */
  show(id: unknown, options?: ShowOptions): Promise<ShowResult>;
  fetchAndStart(id: string, options: ShowOptions, request: ExplicitRequest): Promise<ShowResult>;
  /** Reads an address such as `#usher=5fb70dcbc39330000325a818`. A reload of the same address does not show it again. */
  readLink(): void;
  /**
   * Shows, after a visit, the Experience that the link names, and the one that the previous page requested before it
   * went to this one.
   */
  resume(): void;
}

export interface ExplicitRequestsDependencies {
  config: Config;
  transport: Transport;
  queue: SendQueue;
  store: Store;
  scriptModules: Modules;
  events: Events;
  user: User;
  visits: Visits;
  experiences: Experiences;
}

export function createExplicitRequests(deps: ExplicitRequestsDependencies): ExplicitRequests {
  const { store, scriptModules } = deps;
  let loaded: ShowExperience | undefined;
  let linkedId: string | undefined;

  const use = async (work: (requests: ShowExperience) => Promise<ShowResult>): Promise<ShowResult> => {
    try {
      loaded ??= (await scriptModules.load('extras')).createShowExperience(deps);
      return await work(loaded);
    } catch {
      // The file could not be loaded, which must not become an error of the page.
      return { shown: false, reason: 'unavailable' };
    }
  };
  const show: ExplicitRequests['show'] = (...args) => use((requests) => requests.show(...args));
  const fetchAndStart: ExplicitRequests['fetchAndStart'] = (...args) =>
    use((requests) => requests.fetchAndStart(...args));

  return {
    show,
    fetchAndStart,
    readLink: () => {
      const { href } = location;
      const [, id] = /[?#&]usher=([\da-f]{24})\b/.exec(href) ?? [];
      const followed = store.get('link');
      if (followed !== href) linkedId = id;
      if (followed || id) store.set('link', id && href);
    },
    resume: () => {
      const stored = store.get('show');
      if (stored) {
        store.set('show');
        void show(...(JSON.parse(stored) as [string, ShowOptions]));
      }
      if (linkedId) void fetchAndStart(linkedId, {}, { group_kind: 'link' });
      linkedId = undefined;
    },
  };
}
