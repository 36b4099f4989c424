import type { ActiveExperience } from '../active-experience.ts';
import type { Config } from '../config.ts';
import { isDecided } from '../engine/decided-urls.ts';
import { findStartStep, planStarts, staysActive } from '../engine/plan.ts';
import { waitForBody } from '../page/body.ts';
import { safely } from '../page/safely.ts';
import type { Store } from '../page/store.ts';
import type { Renderer } from '../renderer.ts';
import type { PageExperience, VisitResponse } from '../wire.ts';
import type { Events } from './events.ts';
import { waitForHooks } from './hooks.ts';
import type { Modules } from './modules.ts';
import type { SendQueue } from './send-queue.ts';
import { createSlot } from './slot.ts';
import type { Visits } from './visits.ts';

const MAX_TIMER_MS = 2 ** 31 - 1;

type StartOptions = Partial<
  Pick<ActiveExperience, 'delivery' | 'explicitRequest' | 'options' | 'skipTriggers' | 'skipUrls'>
>;

/** The Experiences that are active on the page. */
export interface Experiences {
  /** Stops Experiences that no longer fit, and starts the ones that the response of a visit asks for. */
  apply(response: VisitResponse): void;
  /** Starts an Experience. Resolves to undefined when it is active already, or could not be loaded. */
  start(experience: PageExperience, options: StartOptions): Promise<ActiveExperience | undefined>;
  /** Finds an active Experience. The key is the ID of its Delivery, or else of the Experience. */
  find(key: string): ActiveExperience | undefined;
  list(): ActiveExperience[];
  stop(active: ActiveExperience): void;
  stopAll(): void;
  loadRenderer(): Promise<Renderer>;
  /** Call it when the URL of the page has changed. */
  pageChanged(): Promise<void>;
  /** While this is true, nothing starts, because an administrator picks an element or tries a draft in this tab. */
  isHeld: boolean;
  /** The renderer. Undefined until the first Experience has loaded it. */
  readonly renderer: Renderer | undefined;
}

interface ExperiencesDependencies {
  config: Config;
  scriptModules: Modules;
  queue: SendQueue;
  store: Store;
  events: Events;
  visits: Visits;
  show: ActiveExperience['show'];
}

export function createExperiences(deps: ExperiencesDependencies): Experiences {
  const { config, scriptModules, queue, store, events, visits, show } = deps;
  const activeByKey = new Map<string, ActiveExperience>();
  let timers: ReturnType<typeof setTimeout>[] = [];
  let renderer: Renderer | undefined;

  const keyOf = ({ delivery, experience }: Pick<ActiveExperience, 'delivery' | 'experience'>) =>
    delivery?.id ?? experience.id;
  const isActive = (active: ActiveExperience) => activeByKey.get(keyOf(active)) === active;

  const stop = (active: ActiveExperience) => {
    if (!isActive(active)) return;
    activeByKey.delete(keyOf(active));
    safely(() => active.handle?.stop());
    slot.release(active);
  };
  const list = () => [...activeByKey.values()];
  const slot = createSlot({ list, stop });

  const clearTimers = () => {
    timers.forEach(clearTimeout);
    timers = [];
  };

  const apply = (response: VisitResponse) => {
    clearTimers();
    for (const active of list()) if (!staysActive(active, response)) stop(active);
    // Times of Deliveries are compared with the clock of the server.
    const now = Date.parse(String(response.profile.last_seen_at)) || Date.now();
    for (const { experience, delivery, startsAt } of planStarts(response)) {
      activeByKey.get(experience.id)?.handle?.update?.(experience);
      // The Experience of a Delivery that has started is also in the response as one that the user is in the middle of.
      const known = !delivery && list().find((active) => active.experience.id === experience.id)?.experience;
      if (known) {
        known.reached = experience.reached;
        continue;
      }
      const run = () =>
        start(experience, {
          ...{ delivery, options: delivery?.options },
          ...{ skipTriggers: delivery?.skip_triggers, skipUrls: delivery?.skip_url_match },
        });
      if (startsAt === undefined) void run();
      // A Delivery whose time to start has passed is not ready for another reason, so it gets no timer.
      else if (startsAt > now) timers.push(setTimeout(run, Math.min(startsAt - now, MAX_TIMER_MS)));
    }
    renderer?.pageChanged();
  };

  const loadRenderer = async () => {
    const createRenderer = await scriptModules.load('renderer');
    await waitForBody();
    renderer ??= createRenderer({ config, matchesPage: scriptModules.matchesPage, scheduleVisit: visits.schedule });
    return renderer;
  };

  const start: Experiences['start'] = async (experience, options) => {
    const { current } = visits;
    if (!current || experiences.isHeld || activeByKey.has(keyOf({ experience, ...options }))) return;
    const active = create(experience, options, current);
    activeByKey.set(keyOf(active), active);
    try {
      const [{ paint }, paintKind, extras, compileCode, media, tourExtras, questions] = await Promise.all([
        loadRenderer(),
        scriptModules.load(experience.kind),
        scriptModules.loadExtras(experience, isDecided(experience, options) && current.href === location.href),
        scriptModules.loadCompiler(experience),
        scriptModules.loadMedia(experience),
        scriptModules.loadTourExtras(experience),
        scriptModules.loadQuestions(experience),
      ]);
      if (!isActive(active)) return;
      active.extras = extras;
      active.compileCode = compileCode;
      active.media = media?.(experience, config.url);
      active.tourExtras = tourExtras?.(experience);
      active.questions = questions?.(active, current.profile.id);
      active.startStepId = findStartStep(experience, store.get(experience.id), scriptModules.matchesPage)?.id;
      active.handle = paint(active, paintKind);
      // A hook of the page may have stopped the Experience meanwhile.
      if (!isActive(active)) active.handle.stop();
      return active;
    } catch (error) {
      console.debug('usher', error);
      stop(active);
      return undefined;
    }
  };

  const create = (
    experience: PageExperience,
    options: StartOptions,
    { token, respondedAt }: NonNullable<Visits['current']>,
  ): ActiveExperience => {
    const { id, kind } = experience;
    const { explicitRequest } = options;
    /** The time that identifies the showing within the visit. */
    const showing = Math.round(performance.now() - respondedAt);
    const active: ActiveExperience = {
      ...{ experience, ...options, hasStarted: false, isVisible: false, hasSlot: false },
      ...{ show, store },
      requestSlot: (retry) => slot.request(active, retry),
      beforeStep: (step_id, index) => waitForHooks(events.emit('step', { experience_id: id, kind, step_id, index })),
      saveStep: (stepId) => {
        active.currentStepId = stepId;
        store.set(id, stepId);
      },
      report: (item, onResponse) => {
        if (item.state === 'started') active.hasStarted = true;
        // Reports belong to the visit that started the Experience, also after the next visit.
        const elapsed = Math.round(performance.now() - respondedAt);
        queue.add({
          ...{ token, kind: 'report', item: { experience_id: id, showing, elapsed, ...explicitRequest, ...item } },
          ...(onResponse && { onResponse }),
        });
        // The event is emitted later, because a listener of the page may end the Experience that is being painted now.
        queueMicrotask(() => events.emit('tour:event', { experience_id: id, kind, ...item }));
      },
      stop: () => stop(active),
      end: (state, item) => {
        active.report({ ...item, state });
        store.set(id);
        if (state === 'completed') completeItems(id);
        // Without this, the response of a visit in flight would start the Experience again.
        visits.invalidate();
        stop(active);
      },
    };
    return active;
  };

  /** Checks off the items of launchers that stand for a tour or survey. */
  const completeItems = (experienceId: string) => {
    for (const { experience, handle } of list())
      for (const item of experience.items ?? [])
        if (item.campaign_id === experienceId) {
          item.completed = true;
          handle?.update?.();
        }
  };

  const experiences: Experiences = {
    apply,
    start,
    stop,
    loadRenderer,
    pageChanged: async () => {
      renderer?.pageChanged();
      // The server has tested most patterns only for the page of the visit, so the extras are loaded first.
      await Promise.allSettled(list().map(({ experience }) => scriptModules.loadExtras(experience)));
      renderer?.pageChanged();
    },
    isHeld: false,
    find: (key) => activeByKey.get(key),
    list,
    stopAll: () => {
      clearTimers();
      for (const active of list().reverse()) stop(active);
    },
    get renderer() {
      return renderer;
    },
  };
  return experiences;
}
