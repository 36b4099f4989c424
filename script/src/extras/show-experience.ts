import type { ActiveExperience } from '../active-experience.ts';
import type { ExplicitRequestsDependencies } from '../core/explicit-requests.ts';
import type { ShowOptions, ShowReason, ShowResult } from '../index.d.ts';
import { traits } from '../kinds/traits.ts';
import type { ExplicitRequest, PageExperience } from '../wire.ts';

/** Shows an Experience that somebody asked for. Most pages never ask for one, so this is not in the core. */
export interface ShowExperience {
  /** Implements `usher.show`. */
  show(id: unknown, options?: ShowOptions | null): Promise<ShowResult>;
  fetchAndStart(id: string, options: ShowOptions, request: ExplicitRequest): Promise<ShowResult>;
}

const MAX_VISIT_MS = 10_000;
/** The call waits as long as a tour waits for a missing element. */
const MAX_PAINT_MS = 5000;

const notShown = (reason: ShowReason): ShowResult => ({ shown: false, reason });

export function createShowExperience(deps: ExplicitRequestsDependencies): ShowExperience {
  const { config, transport, queue, store, scriptModules, events, user, visits, experiences } = deps;

  const fetchAndStart: ShowExperience['fetchAndStart'] = async (id, { redirect, ...options }, request) => {
    const { use_segmentation, once, skip_url_match = true, skip_triggers = true } = options;
    const uid = user.identity?.uid;
    // The reports are sent first, so that an Experience that the user has just completed begins again with its first
    // step.
    await queue.flush();
    const { status, body } = await transport.post('/v3/observe/shows', {
      ...{ visit_token: visits.current?.token, experience_id: id, href: location.href },
      // The address of another page is in the content, which the server returns only without its own check.
      ...{ use_segmentation, once, skip_url_match: skip_url_match || redirect === true },
    });
    if (uid !== user.identity?.uid) return notShown('cleared');
    Object.assign(config, body?.labels && { labels: body.labels });
    config.themes = { ...config.themes, ...(body?.themes as typeof config.themes) };
    const experience = body?.experience as PageExperience | undefined;
    if (!experience) return notShown((body?.reason_code as ShowReason) ?? reasonOfStatus(status));
    const urls = experience.steps?.[0]?.quantifier_urls;
    if (redirect && urls) {
      const extras = await scriptModules.loadExtras(experience)?.catch(() => undefined);
      if (!scriptModules.matchesPage(urls)) {
        const address = extras?.findAddress(urls, location.href);
        if (address && showAt(address, id, options)) return notShown('redirected');
        if (!skip_url_match) return notShown('other_page');
      }
    }
    const running = experiences.find(id);
    if (running && !running.hasStarted) experiences.stop(running);
    else if (running?.isVisible) return { shown: true };
    const result = await whenPainted(id, async () => {
      const started = await experiences.start(experience, {
        ...{ explicitRequest: request, options: options.options },
        ...{ skipTriggers: skip_triggers, skipUrls: skip_url_match },
      });
      if (options.open) started?.handle?.open?.();
      return started ?? experiences.find(id);
    });
    return result.shown || uid === user.identity?.uid ? result : notShown('cleared');
  };

  /** Resolves when a step of the Experience has been painted, when it has stopped, or when it has waited long enough. */
  const whenPainted = async (id: string, start: () => Promise<ActiveExperience | undefined>): Promise<ShowResult> => {
    let finish: (result: ShowResult) => void = () => {};
    const finished = new Promise<ShowResult>((resolve) => {
      finish = resolve;
    });
    const stopListening = events.on('tour:event', ({ experience_id, problem, state = 'started' }) => {
      if (experience_id !== id) return;
      if (problem?.reason === 'error') finish(notShown('error'));
      if (!problem && /^(started|displayed)$/.test(state)) finish({ shown: true });
    });
    const active = await start();
    const { handle } = active ?? {};
    if (!active || !handle) finish(notShown('unavailable'));
    else {
      const { stop } = handle;
      handle.stop = () => {
        stop();
        // The Experience was stopped for another one, or because of an error. The event of the error comes before this.
        queueMicrotask(() => finish(notShown('busy')));
      };
    }
    const giveUp = () => active && finish(notShown(reasonAgainst(active)));
    let timer = setTimeout(() => {
      // The hooks of the page may take as long, so a step that waits for them gets the time twice.
      if (active?.reason === 'pending') timer = setTimeout(giveUp, MAX_PAINT_MS);
      else giveUp();
    }, MAX_PAINT_MS);
    const result = await finished;
    clearTimeout(timer);
    stopListening();
    return result;
  };

  /** Resolves to false if there is no response of a visit in time. */
  const waitForVisit = () =>
    new Promise<boolean>((resolve) => {
      const timer = setTimeout(resolve, MAX_VISIT_MS, false);
      visits.whenVisited(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });

  const show: ShowExperience['show'] = async (id, passedOptions) => {
    const options = passedOptions ?? {};
    if (typeof id !== 'string') return notShown('not_live');
    const active = experiences.find(id);
    if (active?.handle && (options.open || options.close)) {
      if (options.open) active.handle.open?.();
      else active.handle.close?.();
      return options.open ? { shown: true } : notShown('closed');
    }
    const { redirect, ...rest } = options;
    if (typeof redirect === 'string' && showAt(parseAddress(redirect), id, rest)) return notShown('redirected');
    if (await waitForVisit()) return fetchAndStart(id, options, { group_kind: 'api_js' });
    if (visits.current) return notShown('cleared');
    return notShown(user.identity ? 'unavailable' : 'not_identified');
  };

  /** Goes to another address and shows the Experience there. A link carries the ID where the storage of the tab does not. */
  const showAt = (address: URL | undefined, id: string, options: ShowOptions): boolean => {
    if (!address || !/^https?:$/.test(address.protocol) || address.href === location.href) return false;
    store.set('show', JSON.stringify([id, options]));
    if (address.origin !== location.origin || !store.get('show')) address.searchParams.set('usher', id);
    if (!config.navigate?.(address.href)) location.assign(address.href);
    return true;
  };

  return { show, fetchAndStart };
}

function parseAddress(address: string): URL | undefined {
  try {
    return new URL(address, location.href);
  } catch {
    return undefined;
  }
}

function reasonOfStatus(status: number): ShowReason {
  return status === 404 || status === 422 ? 'not_live' : 'unavailable';
}

/** Why an active Experience is not on the screen. */
function reasonAgainst({ reason, retry, experience }: ActiveExperience): ShowReason {
  switch (reason) {
    case 'url':
      return 'other_page';
    case 'hidden':
      return 'element_hidden';
    case 'covered':
      return reason;
    case 'pending':
      return 'trigger';
    case undefined:
      if (document.hidden) return 'page_hidden';
      // A tooltip does not wait for its trigger, so it has found no element to show at.
      if (traits[experience.kind].place === 'element') return 'no_element';
      return retry ? 'busy' : 'trigger';
    default:
      return 'no_element';
  }
}
