import { createPastIds, type Filter, type FunnelStep, interactionStates, startOfDay } from '@usher/domain';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomRuns } from '../../../../../domain/test/random-runs.ts';
import { type Api, newEmail, startApi } from '../../../../test/api.ts';
import { anonymous, createContext } from '../../../create-context.ts';
import { moveUse } from '../../audience/merges/move-use.ts';
import { createAccount } from '../../team/accounts/create-account.ts';

/*
 * Generated people go through generated funnels. A simple reference, which tries every way of every person, must give the same people and times as
 * the API does from the database.
 */

const NOW = Date.UTC(2026, 5, 15, 12, 0, 0, 500);
const DAY = 86_400_000;
const PEOPLE = 60;
const TIME_ZONE = 'America/St_Johns';
const id = (number: number) => number.toString(16).padStart(24, '0');
const some = <T>(...items: T[]) => fc.constantFrom(...items);
const perhaps = <T>(arb: fc.Arbitrary<T>) => fc.option(arb, { nil: null });
/** Many things happen in the same millisecond, at the beginning of a day, or exactly at the end of a window. */
const time = fc
  .tuple(fc.integer({ min: 0, max: 12 }), some(0, 0, 0, -1, 1, 500, 999, 1000, 2001, 9_000_000))
  .map(([days, off]) => NOW - days * DAY - 9.5 * 3_600_000 - 500 + off);
const custom = fc.record({
  plan: some<string | number>('pro', 'free', 12),
  amount: some<string | number>(5, 0.5, '7'),
});
const names = ['opened', 'paid', 'shared'];
const event = fc.record({ name: some(...names), at: time, custom });
const states = ['displayed', 'started', 'completed', 'exited'] as const;
const use = fc.record({
  activities: fc.array(fc.record({ what: some(...states), at: perhaps(time) }), { maxLength: 4 }),
  last: fc.record({
    displayed_at: perhaps(time),
    started_at: perhaps(time),
    completed_at: perhaps(time),
    exited_at: perhaps(time),
  }),
});
const person = fc.record({
  events: fc.array(event, { maxLength: 9 }),
  uses: fc.tuple(perhaps(use), perhaps(use)),
  plan: some('pro', 'free'),
  fate: some('stays', 'stays', 'stays', 'stays', 'test', 'clears', 'goes', 'merges'),
});
type Person = typeof person extends fc.Arbitrary<infer One> ? One : never;

let api: Api;
let tours: string[] = [];
let segment = '';
let known: { id: string; uid: string; plan: string; deeds: Deed[] }[] = [];

interface Deed {
  /** What decides between deeds of one moment. */
  order: string;
  at: number;
  name?: string;
  custom?: Record<string, unknown>;
  state?: string;
}

const post = (path: string, params: object, as = api.account) => api.post(path, params, { as });

beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => NOW, env: { USHER_EVENTS_DAYS: '40' } });
  const { account_id } = api.account;
  await api.patch('/v3/edit/account', { time_zone: TIME_ZONE });
  tours = [];
  for (const name of ['One', 'Two']) tours.push((await post('/v3/edit/tours', { name })).body.tour.id);
  tours.sort();
  const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
  segment = (await post('/v3/edit/segments', { name: 'Pro', items })).body.segment.id;
  const { seed = 1 } = fc.readConfigureGlobal();
  const people = fc.sample(person, { seed, numRuns: PEOPLE });
  await post('/v3/observe/hooks/profiles/batch', {
    profiles: people.map(({ plan }, at) => ({ uid: `u${at}`, plan })),
  });
  const idAt = createPastIds();
  const stored: { uid: string; id: string; person: Person; deeds: Deed[] }[] = [];
  await api.app.storage.write(account_id, async (db) => {
    const rows = await db.selectFrom('profiles').select(['id', 'uid']).where('account_id', '=', account_id).execute();
    for (const [at, person] of people.entries()) {
      const uid = `u${at}`;
      const profile_id = rows.find((row) => row.uid === uid)?.id ?? '';
      const of = { account_id, profile_id };
      const deeds: Deed[] = [];
      for (const { name, at, custom } of person.events) {
        const eventId = idAt(at);
        await db
          .insertInto('events')
          .values({ ...of, id: eventId, name, custom: JSON.stringify(custom) })
          .execute();
        deeds.push({ order: `2 ${eventId}`, at, name, custom });
      }
      for (const name of new Set(person.events.map((event) => event.name))) {
        const times = person.events.filter((event) => event.name === name).map((event) => event.at);
        const counted = { count: times.length, first_at: Math.min(...times), last_at: Math.max(...times) };
        await db
          .insertInto('profile_events')
          .values({ ...of, name, ...counted })
          .execute();
      }
      for (const [which, use] of person.uses.entries()) {
        if (!use) continue;
        const experience_id = tours[which] ?? '';
        await db
          .insertInto('interactions')
          .values({ ...of, id: api.app.newId(), updated_at: NOW, experience_id, state: 'started', ...use.last })
          .execute();
        const add = (state: string, at: number | null) => {
          const order = `1 ${states.indexOf(state as 'started')} ${experience_id}`;
          if (at !== null) deeds.push({ order, at, state: `${experience_id} ${state}` });
        };
        for (const [day, { what, at }] of use.activities.entries()) {
          await db
            .insertInto('activities')
            .values({ ...of, experience_id, what, part_id: '', day, at })
            .execute();
          add(what, at);
        }
        for (const state of states) add(state, use.last[`${state}_at`]);
      }
      stored.push({ uid, id: profile_id, person, deeds });
    }
  });
  const merged = new Map<string, Deed[]>();
  for (const [at, { uid, id, person, deeds }] of stored.entries()) {
    const query = `uid=${uid}`;
    const changed =
      person.fate === 'test'
        ? await api.patch('/v3/edit/profiles', { uid, test: true })
        : person.fate === 'clears'
          ? await api.send('DELETE', '/v3/edit/profiles', { query })
          : person.fate === 'goes'
            ? await api.send('DELETE', '/v3/edit/profiles/forget', { query })
            : undefined;
    expect(changed?.status ?? 200).toBe(200);
    const next = stored[at + 1];
    // Both have seen the same Experiences, so their Interactions become one: only people who have seen none are merged here.
    if (person.fate === 'merges' && next && next.person.fate === 'stays' && person.uses.every((use) => use === null)) {
      const ctx = createContext(api.app, { account: { id: account_id }, actor: anonymous });
      await ctx.transaction((ctx) => moveUse(ctx, id, next.id).then(() => undefined));
      merged.set(next.id, deeds);
      merged.set(id, []);
    } else if (person.fate === 'merges') merged.set(id, deeds);
  }
  known = stored.flatMap(({ uid, id, person, deeds }) => {
    if (['test', 'clears', 'goes'].includes(person.fate)) return [];
    const own = person.fate === 'merges' ? (merged.get(id) ?? deeds) : [...deeds, ...(merged.get(id) ?? [])];
    return [{ id, uid, plan: person.plan, deeds: own }];
  });
});
afterAll(() => api.stop());

/** The deeds in their order. Two times of a state within a second are of one report. */
function inOrder(deeds: readonly Deed[]): Deed[] {
  const last = new Map<string, number>();
  return deeds
    .toSorted((one, other) => one.at - other.at || (one.order < other.order ? -1 : 1))
    .filter(({ at, state }) => {
      if (state === undefined) return true;
      if (at - (last.get(state) ?? Number.NEGATIVE_INFINITY) < 1000) return false;
      last.set(state, at);
      return true;
    });
}

interface Funnel {
  steps: FunnelStep[];
  window_days: number;
  from: string;
  until: string;
}

const toDay = (date: string) => Date.parse(date) / DAY;

function isStep({ name, custom = {}, state }: Deed, step: FunnelStep): boolean {
  if (step.kind === 'experience') return state === `${step.experience_id} ${step.state}`;
  const test = ({ prop, op, value }: { prop: string; op: string; value?: unknown }) => {
    const own = custom[prop];
    return op === 'eq' ? own === value : typeof own === 'number' && own > Number(value);
  };
  return name === step.name && (step.filters ?? []).every((filter) => test(filter as never));
}

/** When somebody did each step: the first of the ways that lead furthest. */
function follow(deeds: readonly Deed[], { steps, window_days, from, until }: Funnel): number[] {
  const period = [startOfDay(toDay(from), TIME_ZONE), startOfDay(toDay(until) + 1, TIME_ZONE)] as const;
  let best: number[] = [];
  for (const [first, start] of deeds.entries()) {
    if (!isStep(start, steps[0] as FunnelStep) || start.at < period[0] || start.at >= period[1]) continue;
    const times = [start.at];
    let place = first;
    for (const step of steps.slice(1)) {
      place = deeds.findIndex((deed, at) => at > place && isStep(deed, step));
      const at = deeds[place]?.at ?? Number.POSITIVE_INFINITY;
      if (place < 0 || at > start.at + window_days * DAY) break;
      times.push(at);
    }
    if (times.length > best.length) best = times;
  }
  return best;
}

const filters = some<Filter[]>(
  [],
  [],
  [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }],
  [{ kind: 'property', prop: 'amount', op: 'gt', value: 1 }],
);
const step: fc.Arbitrary<FunnelStep> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: some('event' as const), name: some(...names), filters }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: some('experience' as const),
      experience_id: some(0, 1).map((at) => `tour ${at}`),
      state: some(...interactionStates),
    }),
  },
);
const funnel: fc.Arbitrary<Funnel> = fc.record({
  steps: fc.array(step, { minLength: 2, maxLength: 5 }),
  window_days: some(1, 2, 7, 30),
  from: some('2026-06-02', '2026-06-08', '2026-06-13'),
  until: some('2026-06-13', '2026-06-15'),
});
const withTours = ({ steps, ...others }: Funnel): Funnel => ({
  ...others,
  steps: steps.map((step) =>
    step.kind === 'experience' ? { ...step, experience_id: tours[Number(step.experience_id?.at(-1))] ?? '' } : step,
  ),
});

function expectedSteps(ways: readonly number[][], steps: number) {
  const counts = Array.from({ length: steps }, (_, at) => ways.filter((way) => way.length > at).length);
  return counts.map((people, at) => ({
    people,
    share_of_first: counts[0] ? people / counts[0] : null,
    share_of_previous: counts[Math.max(at - 1, 0)] ? people / (counts[Math.max(at - 1, 0)] ?? 1) : null,
    median_seconds:
      at === 0
        ? null
        : medianOf(ways.filter((way) => way.length > at).map((way) => (way[at] ?? 0) - (way[at - 1] ?? 0))),
  }));
}

function medianOf(times: number[]): number | null {
  if (times.length === 0) return null;
  const seconds = times.map((ms) => Math.round(ms / 1000)).sort((one, other) => one - other);
  const value = seconds[Math.ceil(seconds.length / 2) - 1] ?? 0;
  const unit = 10 ** Math.max(0, String(value).length - 2);
  return Math.round(value / unit) * unit;
}

describe('a funnel', () => {
  it('has the same people and times in the database as in memory', async () => {
    let furthest = 0;
    await fc.assert(
      fc.asyncProperty(funnel.map(withTours), async (funnel) => {
        const ways = known.map((one) => ({ ...one, way: follow(inOrder(one.deeds), funnel) }));
        const waysOf = (people: typeof ways) => people.map(({ way }) => way);
        furthest = Math.max(furthest, ...waysOf(ways).map((way) => way.length));
        const { status, body } = await post('/v3/analyze/funnels', { ...funnel, split_segment_ids: [segment] });
        expect([status, body.messages]).toEqual([200, undefined]);
        expect(body.funnel).toMatchObject({ complete: true, share: 1, message: null });
        expect(body.funnel.steps).toEqual(expectedSteps(waysOf(ways), funnel.steps.length));
        const inSegment = ways.filter(({ plan }) => plan === 'pro');
        expect(body.funnel.segments).toEqual([
          { segment_id: segment, steps: expectedSteps(waysOf(inSegment), funnel.steps.length) },
        ]);
        for (const what of ['reached', 'left'] as const) {
          const params = { ...funnel, step: 1, what, limit: 500 };
          const { people } = (await post('/v3/analyze/funnels/people', params)).body;
          const listed = ways.filter(({ way }) => (what === 'left' ? way.length === 1 : way.length >= 1));
          expect(people.map(({ uid }: { uid: string }) => uid)).toEqual(
            listed
              .map(({ id, uid }) => ({ id, uid }))
              .sort((one, other) => (one.id < other.id ? 1 : -1))
              .map(({ uid }) => uid),
          );
        }
      }),
      { numRuns: randomRuns(60) },
    );
    expect(furthest).toBeGreaterThan(2);
  });
});

const opened = { kind: 'event', name: 'opened' };
const paid = { kind: 'event', name: 'paid' };
const period = { from: '2026-06-01', until: '2026-06-15', window_days: 30 };

describe('people of a funnel', () => {
  it('come in pages, and as CSV', async () => {
    const params = { ...period, steps: [opened, paid], step: 1 };
    const whole = (await post('/v3/analyze/funnels/people', { ...params, limit: 500 })).body.people;
    const found: unknown[] = [];
    for (let before: string | null | undefined; before !== null; ) {
      const { body } = await post('/v3/analyze/funnels/people', { ...params, limit: 3, ...(before && { before }) });
      expect(body.people.length).toBeLessThanOrEqual(3);
      found.push(...body.people);
      before = body.cursor.before;
    }
    expect(found).toEqual(whole);
    expect(whole.length).toBeGreaterThan(3);
    const { text } = await post('/v3/analyze/funnels/people.csv', params);
    expect(
      text
        .trim()
        .split('\r\n')
        .slice(1)
        .map((row) => row.split(',')[1]),
    ).toEqual(whole.map(({ uid }: { uid: string }) => uid));
  });

  it('come with nested parameters in the address', async () => {
    const steps = 'steps[0][kind]=event&steps[0][name]=opened&steps[1][kind]=event&steps[1][name]=paid';
    const query = `${steps}&from=2026-06-01&until=2026-06-15&window_days=30`;
    const counted = await api.get('/v3/analyze/funnels', { query });
    expect(counted.body).toEqual((await post('/v3/analyze/funnels', { ...period, steps: [opened, paid] })).body);
    const json = `steps=${encodeURIComponent(JSON.stringify([opened, paid]))}&from=2026-06-01&until=2026-06-15&window_days=30`;
    expect((await api.get('/v3/analyze/funnels', { query: json })).body).toEqual(counted.body);
  });

  it('are saved as a Segment', async () => {
    const params = { ...period, steps: [opened, paid], step: 2 };
    const { people } = (await post('/v3/analyze/funnels/people', { ...params, limit: 500 })).body;
    const { status, body } = await post('/v3/edit/funnels/people', { ...params, name: 'Paid after opening' });
    expect([status, body.people_count]).toEqual([201, people.length]);
    expect(body.segment.name).toBe('Paid after opening');
  });
});

describe('when the time is over', () => {
  it('says so, counts those who came last, and goes on with more time', async () => {
    const as = await createAccount(api.app, { name: 'Many', email: newEmail() });
    const events = Array.from({ length: 250 }, (_, at) => ({ uid: `u${at}`, name: at < 125 ? 'opened' : 'Opened' }));
    const more = events.filter((_, at) => at >= 200).map(({ uid }) => ({ uid, name: 'paid' }));
    await post('/v3/observe/hooks/events/batch', { events: [...events, ...more] }, as);
    // A batch is stored at the time of the machine.
    const dayAt = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);
    const params = { steps: [opened, paid], window_days: 7, from: dayAt(-1), until: dayAt(1) };
    const { funnel: part } = (await post('/v3/analyze/funnels', { ...params, within_ms: 0 }, as)).body;
    expect(part).toMatchObject({ complete: false, share: 0.4, steps: [{ people: 100 }, { people: 50 }] });
    expect(part.message).toBe(
      'These numbers are of 40 % of the people, those who came last: the time was over before all were counted. Send `within_ms` with up to 30000 to count more of them.',
    );
    const { funnel } = (await post('/v3/analyze/funnels', params, as)).body;
    expect(funnel).toMatchObject({ complete: true, share: 1, message: null });
    expect(funnel.steps.map(({ people }: { people: number }) => people)).toEqual([250, 50]);
  });
});

describe('the time since which everything is known', () => {
  it('is when single events are deleted, if the period begins before', async () => {
    const ask = async (from: string) =>
      (await post('/v3/analyze/funnels', { ...period, from, steps: [opened, paid] })).body.funnel.known_since;
    expect(await ask('2026-06-01')).toBeNull();
    const days = api.app.activity.eventsDays;
    expect(await ask(new Date(NOW - (days + 2) * DAY).toISOString().slice(0, 10))).toBe(
      new Date(NOW - days * DAY).toISOString(),
    );
  });
});

describe('bad input', () => {
  it.each([
    [{ steps: [opened] }, '`steps` must hold at least 2'],
    [{ steps: Array.from({ length: 9 }, () => opened) }, '`steps` holds 9'],
    [{ steps: 'opened' }, '`steps`'],
    [{}, '`steps` is required'],
    [{ steps: [opened, { kind: 'event' }] }, '`steps[1].name` is required with `kind=event`'],
    [{ steps: [opened, { kind: 'experience' }] }, '`steps[1].experience_id` is required'],
    [{ steps: [opened, { ...paid, state: 'started' }] }, '`steps[1].state` does not belong'],
    [{ steps: [opened, { ...paid, kind: 'segment' }] }, '`steps[1].kind` must be'],
    [{ steps: [opened, { ...paid, filters: [{ kind: 'segment' }] }] }, '`steps[1].filters'],
    [{ steps: [opened, paid], window_days: 0 }, '`window_days`'],
    [{ steps: [opened, paid], window_days: 366 }, '`window_days`'],
    [{ steps: [opened, paid], within_ms: 30_001 }, '`within_ms`'],
    [{ steps: [opened, paid], from: '2026-06-10', until: '2026-06-01' }, '`from` must not be after `until`'],
    [{ steps: [opened, paid], from: '2020-06-10' }, 'days: 366 at most'],
    [{ steps: [opened, paid], split_segment_ids: ['x'] }, '`split_segment_ids[0]`'],
    [{ steps: [opened, paid], split_segment_ids: Array(6).fill(id(1)) }, '`split_segment_ids` holds 6'],
  ])('%j is rejected with what to do', async (params, message) => {
    const { status, body } = await post('/v3/analyze/funnels', params);
    expect([status, body.messages]).toEqual([422, expect.arrayContaining([expect.stringContaining(message)])]);
  });

  it.each([
    [{ step: 3 }, '`step` is 3, and there are 2 steps'],
    [{ step: 2, what: 'left' }, '`what=left` is for a step before the last one'],
    [{}, '`step` is required'],
  ])('of a list of people is rejected: %j', async (params, message) => {
    const { status, body } = await post('/v3/analyze/funnels/people', { steps: [opened, paid], ...params });
    expect([status, body.messages]).toEqual([422, [expect.stringContaining(message)]]);
  });

  it('of another account is not found, as an unknown ID', async () => {
    const tour = (await post('/v3/edit/tours', { name: 'Other' }, api.other)).body.tour.id;
    const other = (await post('/v3/edit/segments', { name: 'Other', items: [] }, api.other)).body.segment.id;
    const withTour = (experience_id: string) =>
      post('/v3/analyze/funnels', { steps: [opened, { kind: 'experience', experience_id, state: 'started' }] });
    const withSegment = (segment_id: string) =>
      post('/v3/analyze/funnels', { steps: [opened, paid], split_segment_ids: [segment_id] });
    const inSegment = (segment_id: string) =>
      post('/v3/analyze/funnels/people', { steps: [opened, paid], step: 1, segment_id });
    for (const [ask, own] of [
      [withTour, tour],
      [withSegment, other],
      [inSegment, other],
    ] as const) {
      const found = await ask(own);
      expect(found.status).toBe(404);
      expect(found.text).toBe((await ask(id(0xdead))).text);
    }
  });
});
