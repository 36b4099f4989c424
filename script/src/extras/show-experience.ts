import type { ExplicitRequestsDependencies } from '../core/explicit-requests.ts';
import type { ShowOptions } from '../index.d.ts';
import type { ExplicitRequest, PageExperience } from '../wire.ts';

/** Shows an Experience that somebody asked for. Most pages never do, so it is not a part of the core. */
export interface ShowExperience {
  /** Implements `usher.show`. */
  show(id: string, options: ShowOptions): void;
  fetchAndStart(id: string, options: ShowOptions, request: ExplicitRequest): Promise<void>;
}

export function createShowExperience(deps: ExplicitRequestsDependencies): ShowExperience {
  const { config, transport, store, parts, visits, experiences } = deps;

  const fetchAndStart: ShowExperience['fetchAndStart'] = async (id, { redirect, ...options }, request) => {
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

  const show: ShowExperience['show'] = (id, options) => {
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

  return { show, fetchAndStart };
}
