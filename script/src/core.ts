import type { Config, Part } from './config.ts';
import { ownValue, readAnswer } from './engine/answer.ts';
import { type Identity, isRecord, mergeIdentity, readIdentity, withProperties } from './engine/identity.ts';
import { createOutbox, type Message } from './engine/outbox.ts';
import { isPassing, pauseAfter } from './engine/pauses.ts';
import { type Answer, type PageDelivery, planOf, staysOn, stepToStart, takesTurns, urlsIn } from './engine/plan.ts';
import type { Extras } from './extras.ts';
import type { ShowOptions } from './index.d.ts';
import type { Kind, PageExperience, PageUrl, Paint, Painted, Report } from './kind.ts';
import type { ToFunction } from './page/code.ts';
import { listen, onNavigate } from './page/navigate.ts';
import { createStore } from './page/store.ts';
import type { Backstage, Running, Stage } from './stage.ts';

/*
 * Who the user is, what they are to see, and what they did: all that talks to the server. What shows something is in parts
 * of its own, which come when there is something to show.
 */

/** One Experience that is being shown, or waits for it. */
interface One extends Running {
  key: string;
  delivery?: PageDelivery | undefined;
  /** What began it, where it was asked for. */
  group?: Pick<Report, 'group_kind' | 'group_id'> | undefined;
  /** Of the visit that it began in; reports speak of that one. */
  token: string;
  showing: number;
  /** The user has seen it. */
  began: boolean;
  /** It is its turn, and its Delivery is claimed. */
  admitted?: boolean;
  /** Looks whether it can be shown now. */
  again?: (() => void) | undefined;
  painted?: Painted;
}

const REPORT_PAUSE = 300;
const NAVIGATION_PAUSE = 100;
const LONGEST_TIMER = 2 ** 31 - 1;

/** What the snippet and the loader left. */
type Left = { c: Config; q?: [string, ArrayLike<unknown>][] } & Record<string, unknown>;
const { usher } = window as unknown as { usher: Left };
const config = usher.c;

let store = createStore(true);
let identity: Identity | undefined;
/** As it was named last. */
let named: string | undefined;
/** What was told of the user before they were named. */
let early: Record<string, unknown> = {};
let profile: Record<string, unknown> | undefined;
let token: string | undefined;
let answeredAt = 0;

/* Events */

let handlers: [name: string, run: (data: unknown) => void][] = [];

function emit(name: string, data?: unknown): void {
  for (const [, run] of handlers.filter(([heard]) => heard === name)) safely(() => run(data));
}

function safely<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    console.debug('usher', error);
    return undefined;
  }
}

/* Talking to the server */

/** Without a content type of its own, so that the browser does not ask the server first whether it may. */
async function post(path: string, body: object): Promise<{ status: number; body?: Record<string, unknown> }> {
  try {
    const answer = await fetch(config.url + path, {
      method: 'POST',
      body: JSON.stringify(body),
      credentials: 'omit',
      keepalive: path !== VISITS,
    });
    return { status: answer.status, body: readAnswer(await answer.text()) };
  } catch {
    return { status: 0 };
  }
}

const VISITS = '/v3/observe/visits';
const outbox = createOutbox();
let failures = 0;
let sending: ReturnType<typeof setTimeout> | undefined;

function sendSoon(pause = REPORT_PAUSE): void {
  sending ??= setTimeout(send, pause);
}

let flight: Promise<void> | undefined;

function send(): Promise<void> {
  clearTimeout(sending);
  sending = undefined;
  flight ??= flush().finally(() => {
    flight = undefined;
  });
  return flight;
}

async function flush(): Promise<void> {
  for (let batch = outbox.take(); batch.length > 0; batch = outbox.take()) {
    const { status, body } = await post(...requestOf(batch));
    if (isPassing(status)) {
      outbox.failed();
      if (!outbox.isEmpty) sendSoon(pauseAfter(++failures, Math.random()));
      return;
    }
    failures = 0;
    safely(() => outbox.done(body?.items as unknown[] | undefined));
  }
}

function requestOf(batch: ReturnType<typeof outbox.take>): [path: string, body: object] {
  const visit_token = batch[0]?.token;
  if (batch[0]?.kind === 'event') return ['/v3/observe/events', { visit_token, ...batch[0].item }];
  return ['/v3/observe/interactions', { visit_token, items: batch.map(({ item }) => item) }];
}

function report(one: One, item: Partial<Report>, answered?: (answer: unknown) => void): void {
  const { experience, group, token, showing } = one;
  if (item.state === 'started') one.began = true;
  outbox.add({
    ...{ token, kind: 'report', item: { experience_id: experience.id, showing, ...group, ...item } },
    ...(answered && { answered }),
  });
  if (answered) void send();
  else sendSoon();
  emit('tour:event', { experience_id: experience.id, kind: experience.kind, ...item });
}

/* Visits */

let visiting = false;
let again = false;
let visitFailures = 0;
let due: ReturnType<typeof setTimeout> | undefined;
/** The script has been evaluated. One timer does all that is put off until then, the first visit too. */
let isReady = false;
/** What waits for the first answer. */
let held: (() => void)[] = [];

function visitSoon(pause = 0): void {
  clearTimeout(due);
  if (identity && isReady) due = setTimeout(visit, pause);
}

async function visit(): Promise<void> {
  if (visiting) {
    again = true;
    return;
  }
  visiting = true;
  again = false;
  const who = identity;
  // What the user has just done matters for what is shown next.
  await send();
  const sent = { account_token: config.token, ...who, href: location.href, browser: browser() };
  emit('identify:request', sent);
  const { status, body } = await post(VISITS, sent);
  visiting = false;
  if (who !== identity || again) return visitSoon();
  if (status === 200) {
    visitFailures = 0;
    safely(() => apply(body as unknown as Answer));
  } else if (isPassing(status)) visitSoon(pauseAfter(++visitFailures, Math.random()));
  // For whoever installs it.
  else console.info('usher:', body?.messages);
}

function browser() {
  const { userAgent, language } = navigator;
  // In this order: most say that they are some of the others too.
  const names = { Edg: 'edge', OPR: 'opera', Firefox: 'firefox', Chrome: 'chrome', Safari: 'safari' };
  return {
    x: innerWidth,
    tz: -new Date().getTimezoneOffset() / 60,
    l: language,
    n: Object.entries(names).find(([name]) => userAgent.includes(name))?.[1],
    k: /mobi/i.test(userAgent) ? 'mobile' : 'desktop',
  };
}

let timers: ReturnType<typeof setTimeout>[] = [];

function apply(answer: Answer): void {
  // For the page, which expects an object like any other.
  profile = { ...answer.profile };
  token = answer.visit.token;
  if (answer.labels) config.labels = answer.labels;
  answeredAt = performance.now();
  emit('identify:sync', profile);
  emit('after:profile', profile);
  timers.forEach(clearTimeout);
  timers = [];
  for (const one of running.values())
    if (!staysOn({ ...one, began: one.began || one.group !== undefined }, answer)) stop(one);
  // By the clock of the server.
  const ahead = Date.now() - Date.parse(String(profile.last_seen_at));
  for (const { experience, delivery, at } of planOf(answer)) {
    const given = { delivery, options: delivery?.options };
    if (at === undefined) start(experience, given);
    else
      timers.push(setTimeout(() => start(experience, given), Math.min(at + (ahead || 0) - Date.now(), LONGEST_TIMER)));
  }
  for (const run of held.splice(0)) safely(run);
  const kept = store.get('show');
  if (kept) {
    store.set('show');
    show(...(JSON.parse(kept) as [string, ShowOptions]));
  }
  if (linked) void fetchAndStart(linked, {}, { group_kind: 'link' });
  linked = undefined;
}

/** What the address names, as in `#usher=5fb70dcbc39330000325a818`: when the user comes to it, not when it is loaded anew. */
let linked: string | undefined;

function followLink(): void {
  const { href } = location;
  const [, id] = /[?#&]usher=([\da-f]{24})\b/.exec(href) ?? [];
  const followed = store.get('link');
  if (followed !== href) linked = id;
  if (followed || id) store.set('link', id && href);
}

/* What is shown */

const running = new Map<string, One>();
let turn: One | undefined;
let stage: Stage | undefined;
const parts: Record<string, unknown> = Object.create(null);
/** By the file: one may have several parts in it. */
const loading = new Map<string, Promise<unknown>>();

async function load<T>(part: Part): Promise<T> {
  const { path } = config.files[part] as Config['files']['core'];
  const known = loading.get(path) ?? config.load?.(part);
  loading.set(path, known as Promise<unknown>);
  try {
    await known;
  } catch (error) {
    // Offline, say: the next visit may have it.
    loading.delete(path);
    throw error;
  }
  return parts[part] as T;
}

function isHere(urls: readonly PageUrl[] | undefined): boolean {
  // The one that reads regular expressions reads all the others.
  const known = (parts.extras_regex ?? parts.extras) as Extras | undefined;
  return !urls || !known || known.isHere(urls, location.href);
}

/** Whether an Experience has such a field, however deep. Within a text the quotes would be escaped. */
const has = (experience: PageExperience, field: RegExp) => field.test(JSON.stringify(experience));

/** Of what an Experience needs beyond its kind. */
function loadExtras(experience: PageExperience): Promise<Extras> | undefined {
  const urls = urlsIn(experience);
  if (urls.some(({ match_type }) => match_type === 'regex')) return load('extras_regex');
  if (urls[0] || has(experience, /"option":/)) return load('extras');
  return undefined;
}

/** Code of authors runs only where the server says that the account allows it. */
function loadCode(experience: PageExperience): Promise<ToFunction> | undefined {
  return config.files.scripts && has(experience, /"(action_script|custom_trigger)":/) ? load('scripts') : undefined;
}

/** A kind is a function of what it shares with the others. */
const painters: Partial<Record<Kind, Paint>> = {};

async function start(experience: PageExperience, given: Partial<One> = {}): Promise<One | undefined> {
  const { delivery } = given;
  const key = delivery?.id ?? experience.id;
  if (running.has(key) || token === undefined) return;
  const one: One = {
    ...{ key, experience, token, began: false, showing: Math.round(performance.now() - answeredAt) },
    ...(delivery && { skipTriggers: delivery.skip_triggers, skipUrls: delivery.skip_url_match }),
    ...given,
  };
  running.set(key, one);
  try {
    const { kind } = experience;
    const [make, paintOf, extras, toFunction] = await Promise.all([
      load<(back: Backstage) => Stage>('stage'),
      load<(shared: unknown) => Paint>(kind),
      loadExtras(experience),
      loadCode(experience),
    ]);
    if (running.get(key) !== one) return;
    stage ??= make(backstage);
    painters[kind] ??= paintOf(parts.shared);
    one.extras = extras;
    one.toFunction = toFunction;
    one.startAt = stepToStart(experience, store.get(experience.id), isHere)?.id;
    one.painted = stage.paint(one, painters[kind]);
    return one;
  } catch (error) {
    console.debug('usher', error);
    stop(one);
    return undefined;
  }
}

function stop(one: One): void {
  if (running.get(one.key) !== one) return;
  running.delete(one.key);
  safely(() => one.painted?.stop());
  if (turn !== one) return;
  turn = undefined;
  const waiting = [...running.values()].filter((other) => other.again);
  for (const other of waiting.sort((a, b) => rankOf(a) - rankOf(b))) {
    if (turn) return;
    safely(() => other.again?.());
  }
}

/** Whoever is asked for comes first, then Deliveries. */
function rankOf({ group, delivery }: One): number {
  return group ? 0 : delivery ? 1 : 2;
}

function ask(one: One, looksAgain: () => void): boolean {
  if (one.admitted || !takesTurns(one.experience.kind)) return true;
  one.again = looksAgain;
  // One that nobody sees, such as a tour that waits for a page, is in nobody's way.
  if (turn?.admitted && (one.group || (one.delivery && !turn.isSeen))) stop(turn);
  if (turn) return false;
  turn = one;
  if (!one.delivery) return admit(one);
  const claim = { state: 'started', delivery_id: one.delivery.id, href: location.href } as const;
  report(one, claim, (answer) => {
    const { delivery } = (answer ?? {}) as { delivery?: { triggered?: boolean } };
    if (!delivery?.triggered) return stop(one);
    admit(one);
    looksAgain();
  });
  return false;
}

function admit(one: One): true {
  one.admitted = true;
  one.again = undefined;
  return true;
}

const backstage: Backstage = {
  ...{ config, isHere, track },
  visit: () => visitSoon(),
  ask: (one, looksAgain) => ask(one as One, looksAgain),
  report: (one, item) => report(one as One, item),
  at: ({ experience }, stepId) => store.set(experience.id, stepId),
  end: (one, state, item) => {
    const { id } = one.experience;
    report(one as One, { ...item, state });
    store.set(id);
    if (state === 'completed')
      for (const { experience } of running.values())
        for (const task of experience.items ?? []) if (task.campaign_id === id) task.completed = true;
    // A visit that is under way does not know of it.
    again = true;
    stop(one as One);
  },
  show: (id, from) => void fetchAndStart(id, {}, from),
};

async function fetchAndStart(id: string, given: ShowOptions, group: One['group']): Promise<void> {
  const { use_segmentation, once, skip_url_match = true, skip_triggers = true, options } = given;
  const { body } = await post('/v3/observe/shows', {
    ...{ visit_token: token, experience_id: id, href: location.href },
    ...{ use_segmentation, once, skip_url_match },
  });
  Object.assign(config, body?.labels && { labels: body.labels });
  const experience = body?.experience as PageExperience | undefined;
  if (!experience) return;
  const { redirect, ...rest } = given;
  const urls = experience.steps?.[0]?.quantifier_urls;
  if (redirect && urls) {
    const extras = await loadExtras(experience)?.catch(() => undefined);
    const to = !isHere(urls) && extras?.addressIn(urls, location.href);
    if (to && goTo(to, id, rest)) return;
  }
  const now = running.get(id);
  if (now && !now.began) stop(now);
  const one = await start(experience, { group, options, skipTriggers: skip_triggers, skipUrls: skip_url_match });
  if (given.open) one?.painted?.open?.();
}

/* What pages call */

function identify(first: unknown, second?: unknown): void {
  const next = readIdentity(first, second);
  const name = JSON.stringify(next);
  // Applications say it again each time they draw themselves.
  if (!next || name === named) return;
  if (identity && identity.uid !== next.uid) clear();
  named = name;
  const merged = identity ? mergeIdentity(identity, next) : withProperties(next, early);
  early = {};
  if (JSON.stringify(merged) === JSON.stringify(identity)) return;
  identity = merged;
  visitSoon();
}

function set(properties: unknown): void {
  if (!isRecord(properties)) return;
  if (!identity) {
    early = { ...early, ...properties };
    return;
  }
  identity = withProperties(identity, properties);
  visitSoon();
}

function track(name: unknown, properties: unknown = {}): void {
  if (typeof name !== 'string') return;
  // By its key it is one, however often it is sent. Not of `Math.random`, which pages replace by what repeats itself.
  const idempotency_key = crypto.getRandomValues(new Uint32Array(2)).join();
  const item = { name, idempotency_key, properties: isRecord(properties) ? properties : {}, href: location.href };
  const add = () => {
    if (token === undefined) return;
    outbox.add({ token, kind: 'event', item });
    sendSoon();
  };
  if (token === undefined) held.push(add);
  else add();
  emit('usher:event', { name: item.name, properties: item.properties });
}

function show(id: unknown, given: ShowOptions = {}): void {
  if (typeof id !== 'string') return;
  const { painted } = running.get(id) ?? {};
  if (painted && (given.open || given.close)) {
    if (given.open) painted.open?.();
    else painted.close?.();
    return;
  }
  const { redirect, ...rest } = given;
  if (typeof redirect === 'string' && goTo(new URL(redirect, location.href), id, rest)) return;
  const run = () => void fetchAndStart(id, given, { group_kind: 'api_js' });
  if (token === undefined) held.push(run);
  else run();
}

/** To another address, and shows it there: as a link does, where nothing else gets there. */
function goTo(to: URL, id: string, given: ShowOptions): boolean {
  if (!/^https?:$/.test(to.protocol) || to.href === location.href) return false;
  store.set('show', JSON.stringify([id, given]));
  if (to.origin !== location.origin || !store.get('show')) to.searchParams.set('usher', id);
  location.assign(to.href);
  return true;
}

function clear(): void {
  for (const one of [...running.values()].reverse()) stop(one);
  timers.forEach(clearTimeout);
  clearTimeout(due);
  void send();
  held = [];
  identity = profile = token = named = undefined;
}

const api: Record<string, (...given: never[]) => void> = {
  ...{ identify, set, track, show, clear },
  on: (name: string, run: (data: unknown) => void) => {
    if (typeof run === 'function') handlers.push([name, run]);
  },
  off: (name: string, run?: (data: unknown) => void) => {
    handlers = handlers.filter(([heard, known]) => heard !== name || (run && run !== known));
  },
  init: (options?: { storage?: string }) => {
    store = createStore(options?.storage !== 'none');
  },
  kind: (name: string, part: unknown) => {
    parts[name] = part;
  },
};

for (const [name, run] of Object.entries(api)) usher[name] = (...given: never[]) => safely(() => void run(...given));
usher.data = {
  profile: {
    get: (key?: string) =>
      key === undefined ? profile : (ownValue(profile, key) ?? ownValue(identity?.properties, key)),
  },
};

safely(() => {
  onNavigate((href) => {
    emit('app:navigate', { href });
    stage?.changed();
    followLink();
    visitSoon(NAVIGATION_PAUSE);
  });
  listen(window, 'pagehide', () => {
    // It may go before what the page before left was read: that goes with the rest.
    safely(takeUp);
    stage?.leave();
    const unsent = outbox.drain().filter((batch) => {
      const [path, body] = requestOf(batch);
      // A beacon does not tell that it was lost.
      return failures > 0 || !navigator.onLine || !navigator.sendBeacon(config.url + path, JSON.stringify(body));
    });
    if (unsent[0]) store.set('unsent', JSON.stringify(unsent.flat()));
  });
  listen(document, 'visibilitychange', () => void send());
  listen(window, 'pageshow', (event) => {
    if (!(event as PageTransitionEvent).persisted) return;
    takeUp();
    visitSoon();
  });
  listen(window, 'online', () => {
    void send();
    if (visitFailures > 0) visitSoon();
  });
});

/** What the page before could not send. */
function takeUp(): void {
  const unsent = store.get('unsent');
  if (!unsent) return;
  store.set('unsent');
  (JSON.parse(unsent) as Message[]).forEach(outbox.add);
  sendSoon();
}

/*
 * The page stands still while the browser first asks another process for what is stored: not while the script is evaluated,
 * but in the task of the first visit, before it.
 */
setTimeout(() => {
  isReady = true;
  safely(takeUp);
  safely(followLink);
  if (identity) void visit();
});

for (const [name, given] of usher.q?.splice(0) ?? []) safely(() => api[name]?.(...(Array.from(given) as never[])));
emit('load');
emit('after:account', { token: config.token });
