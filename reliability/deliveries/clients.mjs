import { findResponseProblems, findSnapshotProblems } from './check.mjs';
import { send } from './fleet.mjs';
import { createRandom } from './random.mjs';

/**
 * @typedef {import('./check.mjs').Operation} Operation
 * @typedef {import('./random.mjs').Random} Random
 */

/**
 * A user as the clients know it. What they know may be out of date.
 * @typedef {object} User
 * @property {string} uid
 * @property {string} [profile] the ID of its profile, after its first page load
 * @property {{ token: string, href: string }[]} pages the open pages
 * @property {string[]} pending
 * @property {string[]} gone the latest Deliveries that are no longer pending
 */

/**
 * What the clients share.
 * @typedef {object} Setup
 * @property {import('./fleet.mjs').Fleet} fleet
 * @property {Awaited<ReturnType<typeof import('./lists.mjs').openLists>>} lists
 * @property {number} operations how many requests to send
 * @property {number} kills how many kills to wait for; more requests are sent until then
 * @property {number} killEvery the number of requests between two kills
 * @property {number} limit
 * @property {string} token of the account
 * @property {string[]} tours
 * @property {number} seed
 * @property {(text: string) => void} note
 */

const CLIENTS = 32;
const USERS = 36;
/** A user is replaced after about this many operations, so that one page of the API holds its whole list. */
const OPERATIONS_OF_A_USER = 600;
const MAX_PAGES = 5;
const MAX_GONE = 12;
const KEYS = 25;
const ALL_LISTS_EVERY = 250;
const LOG_EVERY = 10_000;

/** Many clients that send random requests of administrators and pages for a few users, and record the responses. */
export class Clients {
  #setup;
  /** @type {User[]} */
  #users = [];
  #userCount = 0;
  #count = 0;
  #tabs = 0;
  /** The tour of each Delivery, by its ID. @type {Map<string, string>} */
  #models = new Map();
  #observed = new Set();
  #isReplacing = false;
  /** @type {Promise<unknown>} */
  #replacing = Promise.resolve();
  #nextKill;
  #random;
  /** @type {Operation[]} */
  operations = [];
  /** @type {import('./check.mjs').History['observedTriggers']} */
  observedTriggers = [];
  /** @type {import('./check.mjs').Problem[]} */
  problems = [];
  /** How often both stored lists were compared, and how often the lists in API responses were compared with them. */
  compared = 0;
  read = 0;
  /** How many responses were 503. */
  unavailable = 0;

  /** @param {Setup} setup */
  constructor(setup) {
    this.#setup = setup;
    this.#random = createRandom(setup.seed);
    this.#nextKill = setup.killEvery;
    for (let n = 0; n < USERS; n++) this.#users.push(this.#newUser());
  }

  async run() {
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => this.#work(client)));
    await this.#replacing;
    this.#nextKill = Number.POSITIVE_INFINITY;
    // No other client runs now, so the API must return exactly the stored rows.
    for (const user of this.#users) await this.#compareLists(this.#random, user);
    await this.#compareAll();
  }

  /** @returns {User} */
  #newUser() {
    return { uid: `user-${this.#userCount++}`, pages: [], pending: [], gone: [] };
  }

  /** @param {number} client */
  async #work(client) {
    const random = createRandom(this.#setup.seed * CLIENTS + client + 1);
    const { operations, kills, fleet } = this.#setup;
    while (this.#count < operations || fleet.kills < kills) await this.#act(random);
  }

  /** @param {Random} random */
  async #act(random) {
    // Some users are much busier than others.
    const index = Math.floor(random.next() ** 1.5 * USERS);
    if (random.chance(1 / OPERATIONS_OF_A_USER)) this.#users[index] = this.#newUser();
    const user = /** @type {User} */ (this.#users[index]);
    if (user.profile === undefined || user.pages.length === 0) return this.#visit(random, user);
    const draw = random.next();
    if (draw < 0.3) return this.#create(random, user);
    if (draw < 0.5) return this.#visit(random, user);
    if (draw < 0.66) return this.#claim(random, user, this.#pickDelivery(random, user));
    if (draw < 0.76) return this.#update(random, user, this.#pickDelivery(random, user));
    if (draw < 0.83) return this.#cancel(random, user, this.#pickDelivery(random, user));
    if (draw < 0.85) return this.#clear(random, user);
    if (draw < 0.93) return this.#race(random, user);
    return this.#compareLists(random, user);
  }

  /**
   * Picks a Delivery, mostly one that is pending as far as the clients know.
   * @param {Random} random
   * @param {User} user
   */
  #pickDelivery(random, { pending, gone }) {
    const list = pending.length > 0 && (gone.length === 0 || random.chance(0.9)) ? pending : gone;
    return list.length > 0 ? random.pick(list) : undefined;
  }

  /**
   * Sends several requests for the same Delivery at the same time, each to another process.
   * @param {Random} random
   * @param {User} user
   */
  async #race(random, user) {
    const id = user.pending.length > 0 ? random.pick(user.pending) : undefined;
    const requests = [
      () => this.#claim(random, user, id),
      () => this.#cancel(random, user, id),
      () => this.#update(random, user, id),
      () => this.#create(random, user),
      () => this.#visit(random, user),
      () => this.#clear(random, user),
    ];
    const others = [random.pick(requests.slice(0, 5)), random.pick(requests)];
    await Promise.all([this.#claim(random, user, id), ...others.map((start) => start())]);
  }

  /**
   * Sends a request to the given process, or to any other one, and counts it.
   * @param {Random} random
   * @param {string} method
   * @param {string} path
   * @param {unknown} [content]
   * @param {import('./fleet.mjs').Member} [member]
   */
  async #send(random, method, path, content, member) {
    this.#countRequest();
    const [running] = await this.#setup.fleet.pick(random, 1);
    const target = /** @type {import('./fleet.mjs').Member} */ (member && !member.killed ? member : running);
    const outcome = await send(target, method, path, content);
    if (outcome?.status !== 503) return outcome;
    // A process that returns 503 may have failed before or after the operation took effect.
    this.unavailable += 1;
    return { started: outcome.started, ended: outcome.ended };
  }

  /** Counts a request, and starts what is due: a kill, a comparison, a log line. */
  #countRequest() {
    const { fleet, note } = this.#setup;
    this.#count += 1;
    if (this.#count >= this.#nextKill && !this.#isReplacing) this.#replacing = this.#kill();
    if (this.#count % ALL_LISTS_EVERY === 0) void this.#compareAll();
    if (this.#count % LOG_EVERY === 0) note(`${this.#count} operations, ${fleet.kills} kills`);
  }

  /** Kills a process while other clients wait for responses. The next kill is due some time after the replacement. */
  async #kill() {
    this.#isReplacing = true;
    await this.#setup.fleet.replaceOne(this.#random);
    this.#isReplacing = false;
    this.#nextKill = this.#count + this.#setup.killEvery;
  }

  /**
   * @param {import('./fleet.mjs').Outcome} outcome
   * @param {Omit<Operation, 'started' | 'ended' | 'status'>} rest
   */
  #record(outcome, rest) {
    if (!outcome) return;
    const { started, ended, status, message } = outcome;
    this.operations.push({
      ...rest,
      started,
      ended,
      ...(status !== undefined && { status }),
      ...(message !== undefined && { message }),
    });
  }

  /**
   * @param {Random} random
   * @param {User} user
   */
  async #visit(random, user) {
    const { token } = this.#setup;
    const href = `http://localhost:3000/tab-${this.#tabs++}`;
    const properties = random.chance(0.3) ? { properties: { plan: random.pick(['free', 'pro']) } } : {};
    const body = { account_token: token, uid: user.uid, href, ...properties };
    const outcome = await this.#send(random, 'POST', '/v3/observe/visits', body);
    const { profile, visit, deliveries } = outcome?.status === 200 ? outcome.body : {};
    this.#record(outcome, {
      kind: 'visit',
      user: user.uid,
      // A page without a proof does not get `delivery_ids`. Its Deliveries are all pending ones that have not expired.
      ...(profile && { listed: idsOf(deliveries), offered: idsOf(deliveries) }),
    });
    if (!profile) return;
    user.profile = profile.id;
    user.pages = [...user.pages, { token: visit.token, href }].slice(-MAX_PAGES);
    this.#updateKnown(user, idsOf(deliveries), deliveries);
  }

  /**
   * @param {User} user
   * @param {string[]} pending
   * @param {{ id: string, model_id: string }[]} deliveries
   */
  #updateKnown(user, pending, deliveries) {
    user.pending = [...pending];
    for (const { id, model_id } of deliveries) this.#models.set(id, model_id);
  }

  /**
   * @param {User} user
   * @param {string} id
   */
  #removePending(user, id) {
    if (user.pending.includes(id)) user.gone = [...user.gone, id].slice(-MAX_GONE);
    user.pending = user.pending.filter((one) => one !== id);
  }

  /**
   * @param {Random} random
   * @param {User} user
   */
  async #create(random, user) {
    const conditions = someConditions(random, 0.1);
    const key = random.chance(0.4) ? `key-${random.below(KEYS)}` : undefined;
    const placing = this.#placing(random);
    const body = {
      model_kind: 'tour',
      model_id: random.pick(this.#setup.tours),
      ...(random.chance(0.5) ? { uid: user.uid } : { profile_id: user.profile }),
      ...(key !== undefined && { idempotency_key: key }),
      ...placing,
      ...conditions,
    };
    const create = async (/** @type {import('./fleet.mjs').Member | undefined} */ member) => {
      const outcome = await this.#send(random, 'POST', '/v3/edit/deliveries', body, member);
      const { delivery } = outcome?.body ?? {};
      this.#record(outcome, {
        kind: 'create',
        user: user.uid,
        ...(delivery && { id: delivery.id }),
        ...(key !== undefined && { key }),
        ...flagsOf(body),
      });
      if (!delivery) return;
      this.#models.set(delivery.id, delivery.model_id);
      if (outcome?.status === 201) user.pending = [...user.pending, delivery.id];
    };
    // A client that gets no response in time repeats the request.
    const twice = key !== undefined && random.chance(0.3);
    const members = await this.#setup.fleet.pick(random, 2);
    await Promise.all([create(members[0]), ...(twice ? [create(members.at(-1))] : [])]);
  }

  /** @param {Random} random */
  #placing(random) {
    const position = random.pick(['first', 'last', 0, 1, 2, 3, undefined]);
    return {
      ...(position !== undefined && { delivery_ids_position: position }),
      ...(random.chance(0.25) && { delivery_ids_limit: 1 + random.below(this.#setup.limit) }),
      ...(random.chance(0.5) && { delivery_ids_at_limit: 'drop' }),
    };
  }

  /**
   * @param {Random} random
   * @param {User} user
   * @param {string | undefined} id
   */
  async #update(random, user, id) {
    if (id === undefined) return;
    const key = random.chance(0.2) ? `key-${random.below(KEYS)}` : undefined;
    const body = {
      ...(random.chance(0.6) && this.#placing(random)),
      ...(random.chance(0.3) && { options: { name: `Ann ${random.below(1000)}` } }),
      ...(key !== undefined && { idempotency_key: key }),
      ...someConditions(random, 0.1),
    };
    const outcome = await this.#send(random, 'PATCH', `/v3/edit/deliveries/${id}`, body);
    const flags = { ...(key !== undefined && { key }), ...flagsOf(body) };
    this.#record(outcome, { kind: 'update', user: user.uid, id, ...flags });
  }

  /**
   * @param {Random} random
   * @param {User} user
   * @param {string | undefined} id
   */
  async #cancel(random, user, id) {
    if (id === undefined) return;
    const outcome = await this.#send(random, 'DELETE', `/v3/edit/deliveries/${id}`);
    this.#record(outcome, { kind: 'cancel', user: user.uid, id });
    if (outcome?.status !== undefined) this.#removePending(user, id);
  }

  /**
   * Lets one or several pages start a Delivery at the same time, some of them twice.
   * @param {Random} random
   * @param {User} user
   * @param {string | undefined} id
   */
  async #claim(random, user, id) {
    if (id === undefined) return;
    const pages = Array.from({ length: 1 + random.below(3) }, () => random.pick(user.pages));
    const members = await this.#setup.fleet.pick(random, pages.length);
    const another = random.chance(0.15) ? this.#pickDelivery(random, user) : undefined;
    await Promise.all(
      pages.map(async (page, index) => {
        const showing = random.chance(0.2) ? 1 : 0;
        const ids = another === undefined ? [id] : [id, another];
        const member = members[index % members.length];
        // A page that gets no response to its report sends it again.
        if (await this.#report(random, user, page, showing, ids, member)) return;
        if (random.chance(0.7)) await this.#report(random, user, page, showing, ids);
      }),
    );
  }

  /**
   * @param {Random} random
   * @param {User} user
   * @param {User['pages'][number]} page
   * @param {number} showing
   * @param {string[]} ids
   * @param {import('./fleet.mjs').Member} [member]
   * @returns {Promise<boolean>} whether the server responded
   */
  async #report(random, user, page, showing, ids, member) {
    const href = `${page.href}?showing=${showing}`;
    const items = ids.map((delivery_id) => ({
      ...{ experience_id: this.#models.get(delivery_id), state: 'started', delivery_id, showing, href },
    }));
    const body = { visit_token: page.token, ...(items.length > 1 ? { items } : items[0]) };
    const outcome = await this.#send(random, 'POST', '/v3/observe/interactions', body, member);
    const results = outcome?.status === 200 ? (outcome.body.items ?? [outcome.body]) : [];
    const by = `${page.href} ${showing}`;
    for (const [index, id] of ids.entries()) {
      const claim = { kind: /** @type {const} */ ('claim'), user: user.uid, id, by, href };
      const result = results[index];
      const itemOutcome = result?.code === undefined ? outcome : { ...outcome, status: result.code };
      this.#record(/** @type {typeof outcome} */ (itemOutcome), {
        ...claim,
        ...(result?.delivery && { triggered: result.delivery.triggered }),
      });
      if (result?.delivery) this.#removePending(user, id);
    }
    if (outcome?.status === 403) user.pages = user.pages.filter((one) => one !== page);
    return outcome?.status !== undefined;
  }

  /**
   * @param {Random} random
   * @param {User} user
   */
  async #clear(random, user) {
    const outcome = await this.#send(random, 'DELETE', `/v3/edit/profiles?uid=${user.uid}`);
    this.#record(outcome, { kind: 'clear', user: user.uid });
    if (outcome?.status !== 200) return;
    for (const id of user.pending) this.#removePending(user, id);
    // The visits of these pages are over. One page is kept, to check that its next report is rejected.
    user.pages = user.pages.slice(-1);
  }

  /**
   * Reads both lists of a user through the API, and the stored rows before and after. If the rows did not change, the
   * API must have returned the same lists.
   * @param {Random} random
   * @param {User} user
   */
  async #compareLists(random, user) {
    const { lists, fleet } = this.#setup;
    const { uid, profile: id } = user;
    if (id === undefined) return;
    await fleet.pick(random, 1);
    const before = await lists.ofOne(id);
    this.#compare([before]);
    const shown = await this.#send(random, 'GET', `/v3/analyze/profile?id=${id}`);
    const { delivery_ids } = shown?.status === 200 ? shown.body.profile : {};
    this.#record(shown, { kind: 'read', user: uid, ...(delivery_ids && { listed: delivery_ids }) });
    const listed = await this.#send(random, 'GET', `/v3/edit/deliveries?profile_id=${id}&limit=500`);
    const { deliveries, cursor } = listed?.status === 200 ? listed.body : {};
    if (cursor?.before) throw new Error(`${uid} has more Deliveries than a page of the list`);
    const pending = deliveries && idsOf(deliveries.filter((/** @type {{ at: unknown }} */ { at }) => at === null));
    this.#record(listed, { kind: 'read', user: uid, ...(pending && { listed: pending }) });
    for (const { id, at } of deliveries ?? []) if (at !== null) this.#recordTrigger(id, at);
    if (!delivery_ids || !pending) return;
    this.#updateKnown(user, delivery_ids, deliveries);
    await fleet.pick(random, 1);
    const after = await lists.ofOne(id);
    this.#compare([after]);
    if (after.version !== before.version) return;
    this.read += 1;
    this.problems.push(...findResponseProblems(before, { delivery_ids, pending }));
  }

  /**
   * @param {string} id
   * @param {string} at
   */
  #recordTrigger(id, at) {
    const trigger = `${id} ${at}`;
    if (this.#observed.has(trigger)) return;
    this.#observed.add(trigger);
    this.observedTriggers.push({ id, at });
  }

  async #compareAll() {
    await this.#setup.fleet.pick(this.#random, 1);
    this.#compare(await this.#setup.lists.ofAll());
  }

  /** @param {import('./check.mjs').Snapshot[]} snapshots */
  #compare(snapshots) {
    this.compared += snapshots.length;
    this.problems.push(...findSnapshotProblems(snapshots, this.#setup.limit));
  }
}

/** @param {{ id: string }[]} list */
function idsOf(list) {
  return list.map(({ id }) => id);
}

/**
 * Returns options that can prevent a Delivery from being triggered.
 * @param {Random} random
 * @param {number} share
 */
function someConditions(random, share) {
  const soon = new Date(Date.now() + random.below(2000)).toISOString();
  return {
    ...(random.chance(share * 3) && { use_segmentation: true }),
    ...(random.chance(share) && { once: true }),
    ...(random.chance(share / 2) && { from: soon }),
    ...(random.chance(share / 2) && { until: soon }),
  };
}

/**
 * Returns what the checker has to know about a request body.
 * @param {Record<string, unknown>} body
 */
function flagsOf(body) {
  return {
    ...(body.delivery_ids_at_limit === 'drop' && { drops: true }),
    ...(body.use_segmentation === true && { segmented: true }),
    ...(Boolean(body.once || body.from || body.until) && { conditional: true }),
    ...(Boolean(body.until) && { expires: true }),
  };
}
