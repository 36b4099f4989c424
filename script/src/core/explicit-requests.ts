import type { Config } from '../config.ts';
import type { ShowOptions } from '../index.d.ts';
import type { Store } from '../page/store.ts';
import type { ExplicitRequest, PageExperience } from '../wire.ts';
import type { Experiences } from './experiences.ts';
import type { Parts } from './parts.ts';
import type { Transport } from './transport.ts';
import type { Visits } from './visits.ts';

/** Shows Experiences that somebody asked for: code of the page, a link, a launcher, or a button of another Experience. */
export interface ExplicitRequests {
  /** Implements `usher.show`. */
  show(id: unknown, options?: ShowOptions): void;
  fetchAndStart(id: string, options: ShowOptions, request: ExplicitRequest): Promise<void>;
  /** Reads an address such as `#usher=5fb70dcbc39330000325a818`. A reload of the same address does not show it again. */
  readLink(): void;
  /** After a visit: shows what the link names, and what the previous page asked for before it went to this one. */
  resume(): void;
}

interface ExplicitRequestsDependencies {
  config: Config;
  transport: Transport;
  store: Store;
  parts: Parts;
  visits: Visits;
  experiences: Experiences;
}

export function createExplicitRequests(deps: ExplicitRequestsDependencies): ExplicitRequests {
  const { config, transport, store, parts, visits, experiences } = deps;
  let linkedId: string | undefined;

  const fetchAndStart: ExplicitRequests['fetchAndStart'] = async (id, { redirect, ...options }, request) => {
    const { use_segmentation, once, skip_url_match = true, skip_triggers = true } = options;
    const { body } = await transport.post('/v3/observe/shows', {
      ...{ visit_token: visits.current?.token, experience_id: id, href: location.href },
      ...{ use_segmentation, once, skip_url_match },
    });
    Object.assign(config, body?.labels && { labels: body.labels });
    const experience = body?.experience as PageExperience | undefined;
    if (!experience) return;
    const urls = experience.steps?.[0]?.quantifier_urls;
    if (redirect && urls) {
      const extras = await parts.loadExtras(experience)?.catch(() => undefined);
      const address = !parts.matchesPage(urls) && extras?.findAddress(urls, location.href);
      if (address && showAt(address, id, options)) return;
    }
    const running = experiences.find(id);
    if (running && !running.hasStarted) experiences.stop(running);
    const active = await experiences.start(experience, {
      ...{ explicitRequest: request, options: options.options },
      ...{ skipTriggers: skip_triggers, skipUrls: skip_url_match },
    });
    if (options.open) active?.handle?.open?.();
  };

  const show: ExplicitRequests['show'] = (id, options = {}) => {
    if (typeof id !== 'string') return;
    const handle = experiences.find(id)?.handle;
    if (handle && (options.open || options.close)) {
      if (options.open) handle.open?.();
      else handle.close?.();
      return;
    }
    const { redirect, ...rest } = options;
    if (typeof redirect === 'string' && showAt(new URL(redirect, location.href), id, rest)) return;
    visits.whenVisited(() => void fetchAndStart(id, options, { group_kind: 'api_js' }));
  };

  /** Goes to another address and shows it there. A link carries the ID where the storage of the tab does not. */
  const showAt = (address: URL, id: string, options: ShowOptions): boolean => {
    if (!/^https?:$/.test(address.protocol) || address.href === location.href) return false;
    store.set('show', JSON.stringify([id, options]));
    if (address.origin !== location.origin || !store.get('show')) address.searchParams.set('usher', id);
    location.assign(address.href);
    return true;
  };

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
        show(...(JSON.parse(stored) as [string, ShowOptions]));
      }
      if (linkedId) void fetchAndStart(linkedId, {}, { group_kind: 'link' });
      linkedId = undefined;
    },
  };
}
