import { toTimestamp } from '@usher/domain';
import fc, { type AsyncCommand } from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { randomRuns } from '../../domain/test/random-runs.ts';
import { type CreatedAccount, createAccount } from '../src/features/team/accounts/create-account.ts';
import { type Api, type ApiResponse, startApi } from './api.ts';
import { loadPage, type OpenPage } from './open-page.ts';

/*
 * Random commands in any order must leave the Deliveries as a small model predicts: users load pages, administrators
 * create, change and cancel Deliveries, pages claim them, profiles are cleared and forgotten, and time passes.
 */

const RUNS = randomRuns(5);
const HOUR = 60 * 60_000;
const LIMIT = 3;
const path = '/v3/edit/deliveries';
const users = ['ann', 'bob'];
/** The second tour is for a Segment of paying users. */
const tourNames = ['for all', 'for some'];

let clock = Date.UTC(2029, 3, 7, 12);
let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => clock });
});
afterAll(() => api.stop());

interface ModelDelivery {
  id: string;
  user: string;
  /** The profile of the user, which is a new one after the user was forgotten. */
  profile: ModelProfile;
  tour: number;
  key: string | null;
  from: number | null;
  until: number | null;
  once: boolean;
  segmented: boolean;
  status: 'pending' | 'triggered' | 'removed';
  claimedBy?: string;
  /** The row of a Delivery that can no longer change. */
  frozen?: string;
}
interface ModelProfile {
  id: string;
  seen: boolean;
  pays: boolean;
  gone: boolean;
  clearedAt: number;
  /** The tours that the user has started. */
  started: Set<number>;
  pending: ModelDelivery[];
}
interface ModelPage {
  open: OpenPage;
  profile: ModelProfile;
  at: number;
  name: string;
}
interface Model {
  profiles: Map<string, ModelProfile>;
  deliveries: ModelDelivery[];
  pages: ModelPage[];
  live: boolean[];
}
interface Real {
  as: CreatedAccount;
  tours: string[];
}

const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(list.length, 1)];
const MAX_PICKS = 12;

/** Picks a pending Delivery in two of three cases, else any. */
function pickDelivery({ deliveries }: Model, index: number): ModelDelivery | undefined {
  const pending = deliveries.filter(({ status, profile }) => status === 'pending' && !profile.gone);
  return pick(index % 3 > 0 && pending.length > 0 ? pending : deliveries, Math.floor(index / 3));
}

/** Picks a page of the user of the Delivery in three of four cases, else any. */
function pickPage({ pages }: Model, { profile }: ModelDelivery, index: number): ModelPage | undefined {
  const own = pages.filter((page) => page.profile === profile).reverse();
  return pick(index % 4 > 0 && own.length > 0 ? own : pages, Math.floor(index / 4));
}
const statusOf = ({ status, body }: ApiResponse) => [status, ...(status >= 400 ? [] : [body.delivery?.id])];

function remove(delivery: ModelDelivery): void {
  delivery.status = 'removed';
  delivery.profile.pending = delivery.profile.pending.filter((one) => one !== delivery);
}

/** Whether the Delivery could run now, if its Segment matches. */
function mayRun({ live }: Model, { tour, from, until, once, profile }: ModelDelivery): boolean {
  const inTime = (from === null || from <= clock) && (until === null || until >= clock);
  return Boolean(live[tour]) && inTime && !(once && profile.started.has(tour));
}

/** A command of the model. After each command, everything is compared with the model. */
abstract class Command implements AsyncCommand<Model, Real> {
  abstract act(model: Model, real: Real): Promise<void>;
  abstract toString(): string;

  check(): boolean {
    return true;
  }

  async run(model: Model, real: Real): Promise<void> {
    clock += 1;
    await this.act(model, real);
    await compare(model, real);
  }
}

async function compare(model: Model, { as: { account_id } }: Real): Promise<void> {
  const db = api.app.storage.reader(account_id);
  const profiles = await db.selectFrom('profiles').selectAll().where('account_id', '=', account_id).execute();
  const lists = Object.fromEntries(profiles.map(({ uid, delivery_ids }) => [uid, delivery_ids]));
  const expected = [...model.profiles].map(([uid, { pending }]) => [uid, pending.map(({ id }) => id)]);
  expect(lists).toEqual(Object.fromEntries(expected));
  for (const list of Object.values(lists)) expect(list.length).toBeLessThanOrEqual(LIMIT);

  const rows = await db.selectFrom('deliveries').selectAll().where('account_id', '=', account_id).execute();
  const known = model.deliveries.filter(({ profile }) => !profile.gone);
  expect(rows.map(({ id }) => id).sort()).toEqual(known.map(({ id }) => id).sort());
  const keys = rows.flatMap((row) => (row.idempotency_key === null ? [] : `${row.profile_id} ${row.idempotency_key}`));
  expect(new Set(keys).size).toBe(keys.length);
  for (const row of rows) {
    const delivery = known.find(({ id }) => id === row.id);
    const status = row.at !== null ? 'triggered' : row.removed_at !== null ? 'removed' : 'pending';
    expect([row.id, status]).toEqual([row.id, delivery?.status]);
    if (!delivery || status === 'pending') continue;
    delivery.frozen ??= JSON.stringify(row);
    expect(JSON.stringify(row)).toBe(delivery.frozen);
  }
}

class Load extends Command {
  readonly user: string;
  readonly pays: boolean;
  constructor(user: string, pays: boolean) {
    super();
    this.user = user;
    this.pays = pays;
  }
  async act(model: Model, { as }: Real) {
    const open = await loadPage(api, this.user, { as, properties: { pays: this.pays } });
    const known = model.profiles.get(this.user);
    const started = new Set<number>();
    const profile = known ?? {
      id: open.profile.id,
      gone: false,
      clearedAt: 0,
      started,
      pending: [],
      seen: true,
      pays: true,
    };
    expect(open.profile.id).toBe(profile.id);
    model.profiles.set(this.user, Object.assign(profile, { seen: true, pays: this.pays }));
    model.pages.push({ open, profile, at: clock, name: `page ${model.pages.length}` });
    const inSegment = ({ tour, segmented }: ModelDelivery) => !segmented || tour === 0 || this.pays;
    const listed = profile.pending.filter(({ until }) => until === null || until >= clock);
    for (const delivery of listed) if (mayRun(model, delivery) && !inSegment(delivery)) remove(delivery);
    const left = listed.filter(({ status }) => status === 'pending');
    expect(open.deliveries.map(({ id, ready }) => [id, ready])).toEqual(
      left.map((delivery) => [delivery.id, mayRun(model, delivery)]),
    );
    const { body } = await api.get(`/v3/analyze/profiles/${profile.id}`, { as });
    expect(body.profile.delivery_ids).toEqual(profile.pending.map(({ id }) => id));
  }
  toString = () => `${this.user} loads a page${this.pays ? ', and pays' : ''}`;
}

interface DeliveryInput {
  user: string;
  tour: number;
  key: string | null;
  /** The time in hours from now. */
  from: number | null;
  until: number | null;
  once: boolean;
  segmented: boolean;
  position: 'first' | 'last' | number | undefined;
  limit: number | undefined;
  atLimit: 'error' | 'drop';
}
const fromNow = (hours: number | null) => (hours === null ? null : clock + hours * HOUR);
const timestamp = (time: number | null) => (time === null ? null : toTimestamp(time));
const indexOf = (position: DeliveryInput['position'], length: number) =>
  position === 'last' ? length : Math.min(typeof position === 'number' ? position : 0, length);

class Create extends Command {
  readonly params: DeliveryInput;
  constructor(params: DeliveryInput) {
    super();
    this.params = params;
  }
  async act(model: Model, { as, tours }: Real) {
    const { user, tour, key, once, segmented, position, limit, atLimit } = this.params;
    const [from, until] = [fromNow(this.params.from), fromNow(this.params.until)];
    const response = await api.post(
      path,
      {
        ...{ model_kind: 'tour', model_id: tours[tour], uid: user, idempotency_key: key, once },
        ...{ from: timestamp(from), until: timestamp(until), use_segmentation: segmented },
        ...{ delivery_ids_position: position, delivery_ids_limit: limit, delivery_ids_at_limit: atLimit },
      },
      { as },
    );
    const profile = model.profiles.get(user);
    const used = model.deliveries.find((one) => one.profile === profile && key !== null && one.key === key);
    const errorStatus = this.#errorStatus(model, profile, used, from, until);
    if (errorStatus) return expect(statusOf(response)).toEqual([errorStatus]);
    if (used) return expect(statusOf(response)).toEqual([200, used.id]);
    expect(response.status).toBe(201);
    if (!profile) throw new Error('an unknown user is rejected before');
    const { id } = response.body.delivery;
    const created: ModelDelivery = { id, user, profile, tour, key, from, until, once, segmented, status: 'pending' };
    model.deliveries.push(created);
    profile.pending.splice(indexOf(position, profile.pending.length), 0, created);
    for (const dropped of profile.pending.slice(limit ?? LIMIT)) remove(dropped);
  }
  #errorStatus(
    { live }: Model,
    profile: ModelProfile | undefined,
    used: ModelDelivery | undefined,
    from: number | null,
    until: number | null,
  ): number | undefined {
    const { tour, position, limit = LIMIT, atLimit } = this.params;
    if (from !== null && until !== null && from > until) return 422;
    if (!profile) return 404;
    if (used) return undefined;
    if (!live[tour]) return 409;
    const many = profile.pending.length;
    if (!profile.seen || (position === undefined && many >= 2 && limit > 1)) return 422;
    if (many < limit) return undefined;
    if (atLimit === 'error') return 409;
    return indexOf(position, many) >= limit ? 422 : undefined;
  }
  toString = () => `create ${JSON.stringify(this.params)}`;
}

class Update extends Command {
  readonly which: number;
  readonly params: Partial<Pick<DeliveryInput, 'once' | 'segmented' | 'until' | 'position'>>;
  constructor(which: number, params: Update['params']) {
    super();
    this.which = which;
    this.params = params;
  }
  async act(model: Model, { as }: Real) {
    const delivery = pickDelivery(model, this.which);
    if (!delivery) return;
    const { once, segmented, position } = this.params;
    const until = this.params.until === undefined ? undefined : fromNow(this.params.until);
    const params = {
      ...{ once, use_segmentation: segmented, delivery_ids_position: position },
      ...(until !== undefined && { until: timestamp(until) }),
    };
    const response = await api.patch(`${path}/${delivery.id}`, params, { as });
    const { profile, from, status } = delivery;
    if (profile.gone || status === 'removed') return expect(response.status).toBe(404);
    if (status === 'triggered') return expect(response.status).toBe(409);
    if (typeof until === 'number' && from !== null && from > until) return expect(response.status).toBe(422);
    expect(response.status).toBe(200);
    Object.assign(delivery, {
      ...(once !== undefined && { once }),
      ...(segmented !== undefined && { segmented }),
      ...(until !== undefined && { until }),
    });
    if (position === undefined) return;
    const others = profile.pending.filter((one) => one !== delivery);
    profile.pending = others.toSpliced(indexOf(position, others.length), 0, delivery);
  }
  toString = () => `update ${this.which}: ${JSON.stringify(this.params)}`;
}

class Cancel extends Command {
  readonly which: number;
  constructor(which: number) {
    super();
    this.which = which;
  }
  async act(model: Model, { as }: Real) {
    const delivery = pickDelivery(model, this.which);
    if (!delivery) return;
    const { status } = await api.send('DELETE', `${path}/${delivery.id}`, { as });
    if (delivery.profile.gone || delivery.status === 'removed') return expect(status).toBe(404);
    if (delivery.status === 'triggered') return expect(status).toBe(409);
    expect(status).toBe(200);
    remove(delivery);
  }
  toString = () => `cancel ${this.which}`;
}

const isOpen = ({ profile, at }: ModelPage) => !profile.gone && profile.clearedAt <= at && clock - at <= 12 * HOUR;

/** Claims by several pages at the same time. Some pages claim twice. */
class Claim extends Command {
  readonly which: number;
  readonly pages: number[];
  readonly showing: number;
  constructor(which: number, pages: number[], showing: number) {
    super();
    this.which = which;
    this.pages = pages;
    this.showing = showing;
  }
  async act(model: Model, { tours }: Real) {
    const delivery = pickDelivery(model, this.which);
    const pages = delivery ? this.pages.flatMap((index) => pickPage(model, delivery, index) ?? []) : [];
    if (!delivery || pages.length === 0) return;
    const report = {
      ...{ experience_id: tours[delivery.tour], state: 'started', showing: this.showing },
      ...{ delivery_id: delivery.id, href: 'http://localhost:3000/home' },
    };
    const responses = await Promise.all(pages.map(({ open }) => open.report(report)));
    const winners = new Set<string>();
    for (const [index, { status, body }] of responses.entries()) {
      const page = pages[index] as ModelPage;
      if (!isOpen(page)) expect([page.name, status]).toEqual([page.name, 403]);
      else if (page.profile !== delivery.profile) expect(status).toBe(404);
      else {
        expect(status).toBe(200);
        if (body.delivery.triggered) winners.add(`${page.name} ${this.showing}`);
      }
    }
    const isClaimed = pages.some((page) => isOpen(page) && page.profile === delivery.profile);
    const wins = delivery.status === 'pending' && isClaimed && mayRun(model, delivery);
    const before = pages.some((page) => isOpen(page) && `${page.name} ${this.showing}` === delivery.claimedBy);
    expect(winners.size).toBe(wins || before ? 1 : 0);
    if (before) expect([...winners]).toEqual([delivery.claimedBy]);
    if (!wins) return;
    remove(delivery);
    const [claimedBy] = winners;
    Object.assign(delivery, { status: 'triggered', claimedBy });
    delivery.profile.started.add(delivery.tour);
  }
  toString = () => `claim ${this.which} by the pages ${this.pages}, showing ${this.showing}`;
}

class Clear extends Command {
  readonly user: string;
  readonly forget: boolean;
  constructor(user: string, forget: boolean) {
    super();
    this.user = user;
    this.forget = forget;
  }
  async act(model: Model, { as }: Real) {
    const profile = model.profiles.get(this.user);
    const where = `/v3/edit/profiles${this.forget ? '/forget' : ''}`;
    const { status } = await api.send('DELETE', where, { as, query: `uid=${this.user}` });
    if (!profile) return expect(status).toBe(404);
    expect(status).toBe(200);
    if (this.forget) {
      profile.gone = true;
      model.profiles.delete(this.user);
      return;
    }
    for (const delivery of profile.pending) remove(delivery);
    profile.started.clear();
    Object.assign(profile, { seen: false, clearedAt: clock });
  }
  toString = () => `${this.forget ? 'forget' : 'clear'} ${this.user}`;
}

class Publish extends Command {
  readonly tour: number;
  constructor(tour: number) {
    super();
    this.tour = tour;
  }
  async act(model: Model, { as, tours }: Real) {
    const live = !model.live[this.tour];
    const params = { published_at: live ? '$now' : null };
    expect((await api.patch(`/v3/edit/tours/${tours[this.tour]}`, params, { as })).status).toBe(200);
    model.live[this.tour] = live;
  }
  toString = () => `publish or unpublish ${this.tour}`;
}

class Pass extends Command {
  readonly hours: number;
  constructor(hours: number) {
    super();
    this.hours = hours;
  }
  async act() {
    clock += this.hours * HOUR;
  }
  toString = () => `${this.hours} hours pass`;
}

const user = fc.constantFrom(...users);
const tour = fc.nat(tourNames.length - 1);
const which = fc.nat(MAX_PICKS);
const hours = (min: number, max: number) => fc.option(fc.integer({ min, max }), { freq: 2 });
const position = fc.constantFrom<DeliveryInput['position']>('first', 'last', 0, 1, 5);
const rarely = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 2, nil: undefined });
const create = fc.record({
  ...{ user, tour, key: fc.option(fc.constantFrom('a', 'b'), { freq: 2 }), from: hours(-2, 3), until: hours(0, 5) },
  ...{ once: fc.boolean(), segmented: fc.boolean(), position: fc.option(position, { nil: undefined, freq: 4 }) },
  ...{ limit: rarely(fc.integer({ min: 1, max: LIMIT })), atLimit: fc.constantFrom('error', 'drop') },
} as const);
const update = fc.record(
  { once: fc.boolean(), segmented: fc.boolean(), until: hours(-1, 5), position },
  { requiredKeys: [] },
);
const claim = fc
  .tuple(which, fc.array(fc.nat(MAX_PICKS), { minLength: 1, maxLength: 4 }), fc.nat(1))
  .map(([one, pages, showing]) => new Claim(one, pages, showing));
const load = fc.tuple(user, fc.boolean()).map(([who, pays]) => new Load(who, pays));
const creation = create.map((params) => new Create(params));
const commands = fc.commands(
  [
    ...[load, load, load, creation, creation, creation, creation, creation, claim, claim, claim, claim, claim, claim],
    fc.tuple(which, update).map(([one, params]) => new Update(one, params as Update['params'])),
    which.map((one) => new Cancel(one)),
    fc.tuple(user, fc.boolean()).map(([who, forget]) => new Clear(who, forget)),
    tour.map((one) => new Publish(one)),
    fc.integer({ min: 1, max: 7 }).map((some) => new Pass(some)),
  ],
  { maxCommands: 60, size: 'max' },
);

let count = 0;
async function begin(): Promise<{ model: Model; real: Real }> {
  const as = await createAccount(api.app, { name: 'Model', email: `model${++count}@acme.test` });
  const items = [{ kind: 'property', prop: 'pays', op: 'eq', value: true }];
  const { body } = await api.post('/v3/edit/segments', { name: 'Paying', items }, { as });
  const tours: string[] = [];
  for (const [index, name] of tourNames.entries()) {
    const steps = [{ title: 'Hello', body: 'This is it.', buttons: [{ text: 'Next' }] }];
    const segment_ids = index === 0 ? [] : [body.segment.id];
    const params = { name, style: 'manual', steps, segment_ids, published_at: '$now' };
    tours.push((await api.post('/v3/edit/tours', params, { as })).body.tour.id);
  }
  const model = { profiles: new Map(), deliveries: [], pages: [], live: tours.map(() => true) };
  return { model, real: { as, tours } };
}

it('agrees with a simple model of Deliveries after any commands', { timeout: 30_000 + RUNS * 5000 }, async () => {
  const found = new Set<ModelDelivery['status']>();
  await fc.assert(
    fc.asyncProperty(commands, async (list) => {
      const { model, real } = await begin();
      for (const user of users) await new Load(user, true).run(model, real);
      await fc.asyncModelRun(() => ({ model, real }), list);
      for (const { status } of model.deliveries) found.add(status);
    }),
    { numRuns: RUNS },
  );
  expect([...found].sort()).toEqual(['pending', 'removed', 'triggered']);
});
