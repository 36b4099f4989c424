import { firstIdAt, type Millis, timeOfId } from '@usher/domain';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomRuns } from '../../../../../domain/test/random-runs.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { addInteraction, addResponse } from '../../../../test/use-rows.ts';

const START = Date.UTC(2029, 3, 7, 12, 18);
let api: Api;
let surveys: string[];
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => START });
  surveys = [];
  for (const name of ['One', 'Two', 'Three']) {
    const steps = [{ title: 'How likely?', preset: 'survey_nps' }];
    surveys.push((await api.post('/v3/edit/surveys', { name, steps })).body.survey.id);
  }
});
afterAll(() => api.stop());

/** A few milliseconds, so that much happens in the same one. */
const time = fc.nat(5).map((ms) => START + ms);
const id = fc
  .tuple(time, fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 13, maxLength: 13 }))
  .map(([at, rest]) => firstIdAt(at).slice(0, 11) + rest);
const ids = fc.uniqueArray(id, { maxLength: 25 });
const scenario = fc.record({
  events: ids,
  /** They are stored after each page, at any time. */
  added: ids,
  responses: fc.uniqueArray(id, { maxLength: 6 }),
  interactions: fc.array(fc.record({ started_at: time, completed_at: fc.option(time), goal_at: fc.option(time) }), {
    maxLength: 3,
  }),
  deliveries: fc.array(fc.record({ id, after: fc.nat(3), removed: fc.boolean() }), { maxLength: 6 }),
  limits: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer One> ? One : never;

let count = 0;
async function addProfile(): Promise<string> {
  const { body } = await api.post('/v3/observe/hooks/profiles', { uid: `user ${++count}` });
  return body.profile.id;
}

async function addEvents(profile_id: string, events: readonly string[]): Promise<void> {
  const { account_id } = api.account;
  const rows = events.map((id) => ({ account_id, id, profile_id, name: 'opened', custom: '{}' }));
  for (let at = 0; at < rows.length; at += 1000)
    await api.app.storage.write(account_id, (db) =>
      db
        .insertInto('events')
        .values(rows.slice(at, at + 1000))
        .execute(),
    );
}

/** Stores what the user did, and returns the entries that follow from it, in any order. */
async function store(profile_id: string, one: Scenario): Promise<{ key: string; at: Millis }[]> {
  const { account_id } = api.account;
  await addEvents(profile_id, one.events);
  const expected = one.events.map((id) => ({ key: `tracked-${id}`, at: timeOfId(id) }));
  for (const [index, id] of one.responses.entries()) {
    const of = { account_id, profile_id, experience_id: surveys[index % 3] as string };
    await addResponse(api.app, of, { id, updated_at: timeOfId(id) });
    expected.push({ key: `answered-${id}`, at: timeOfId(id) });
  }
  for (const [index, times] of one.interactions.entries()) {
    const of = { account_id, profile_id, experience_id: surveys[index] as string };
    const id = await addInteraction(api.app, of, times);
    for (const [name, at] of Object.entries(times))
      if (at !== null) expected.push({ key: `${name.slice(0, -3)}-${id}`, at });
  }
  for (const { id, after, removed } of one.deliveries) {
    const at = timeOfId(id) + after;
    const ends = removed ? { removed_at: at } : { at };
    const terms = { use_segmentation: false, once: false, skip_triggers: true, skip_url_match: true };
    const row = { account_id, id, profile_id, model_id: surveys[0] as string, model_kind: 'survey' as const };
    await api.app.storage.write(account_id, (db) =>
      db
        .insertInto('deliveries')
        .values({ ...row, ...terms, ...ends, updated_at: at })
        .execute(),
    );
    expected.push({ key: `delivery_created-${id}`, at: timeOfId(id) });
    expected.push({ key: `delivery_${removed ? 'removed' : 'triggered'}-${id}`, at });
  }
  return [...expected, { key: `created-${profile_id}`, at: timeOfId(profile_id) }];
}

async function readAll(
  id: string,
  limits: readonly number[],
  between: (page: number) => Promise<void> = async () => {},
  more: Record<string, string> = {},
): Promise<{ key: string; at: Millis }[]> {
  const found: { key: string; at: Millis }[] = [];
  let before: string | undefined;
  for (let page = 0; ; page++) {
    const limit = limits[page % limits.length] as number;
    const query = new URLSearchParams({ limit: String(limit), ...more, ...(before && { before }) }).toString();
    const { status, body } = await api.get(`/v3/edit/profiles/${id}/timeline`, { query });
    expect(status).toBe(200);
    expect(body.entries.length).toBeLessThanOrEqual(limit);
    for (const { id, at } of body.entries) found.push({ key: id, at: Date.parse(at) });
    if (body.cursor.before === null) return found;
    expect(body.entries).toHaveLength(limit);
    before = body.cursor.before;
    await between(page);
  }
}

describe('pages of a timeline', () => {
  it('miss and repeat nothing, while events are stored', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (random) => {
        const one = withNewIds(random);
        const id = await addProfile();
        const expected = await store(id, { ...one, deliveries: uniqueById(one.deliveries) });
        const found = await readAll(id, one.limits, (page) =>
          addEvents(id, one.added.slice(page, page + 1).filter(isNew(one))),
        );
        const times = found.map(({ at }) => at);
        expect(times).toEqual([...times].sort((one, other) => other - one));
        const keys = found.map(({ key }) => key);
        expect(new Set(keys).size).toBe(keys.length);
        const byKey = new Map(found.map(({ key, at }) => [key, at]));
        for (const { key, at } of expected) expect([key, byKey.get(key)]).toEqual([key, at]);
        const added = keys.filter((key) => !expected.some((one) => one.key === key));
        for (const key of added) expect(one.added.map((id) => `tracked-${id}`)).toContain(key);
      }),
      { numRuns: randomRuns(15) },
    );
  }, 120_000);

  it('end before a time', async () => {
    const id = await addProfile();
    const events = [0, 1, 2].map((ms) => firstIdAt(START + 10 + ms));
    await addEvents(id, events);
    const query = `kinds=tracked&before=${new Date(START + 12).toISOString()}`;
    const { body } = await api.get(`/v3/edit/profiles/${id}/timeline`, { query });
    expect(body.entries.map((entry: { id: string }) => entry.id)).toEqual([
      `tracked-${events[1]}`,
      `tracked-${events[0]}`,
    ]);
  });

  it('list 10,000 events of one user once each', async () => {
    const id = await addProfile();
    const events = Array.from(
      { length: 10_000 },
      (_, n) => firstIdAt(START + Math.floor(n / 7)).slice(0, 16) + n.toString(16).padStart(8, '0'),
    );
    await addEvents(id, events);
    const found = await readAll(id, [500], undefined, { kinds: 'tracked' });
    expect(found.map(({ key }) => key)).toEqual(
      events
        .map((id) => `tracked-${id}`)
        .sort()
        .reverse(),
    );
  });
});

/** IDs of the same milliseconds as these, which no run before has used. */
function withNewIds(one: Scenario): Scenario {
  const part = (++runs).toString(16).padStart(4, '0');
  const renew = (id: string) => id.slice(0, 11) + part + id.slice(15);
  return {
    ...one,
    events: one.events.map(renew),
    added: one.added.map(renew),
    responses: one.responses.map(renew),
    deliveries: one.deliveries.map((delivery) => ({ ...delivery, id: renew(delivery.id) })),
  };
}
let runs = 0;

function uniqueById<T extends { id: string }>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

function isNew({ events }: Scenario): (id: string) => boolean {
  return (id) => !events.includes(id);
}
