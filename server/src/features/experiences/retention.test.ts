import { dayOf, toDate } from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../test/api.ts';
import { addFinding, recountUse } from '../../../test/use-rows.ts';
import { onceADay } from '../../once-a-day.ts';
import { sweepActivities } from './sweep-activities.ts';
import { sweepChanges } from './sweep-changes.ts';
import { sweepFindings } from './sweep-findings.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

const DAY = 86_400_000;

// biome-ignore lint/suspicious/noExplicitAny: tests inspect JSON of any shape
type Shown = any;

async function addTour(): Promise<Shown> {
  const steps = [{ title: 'First', buttons: [{ text: 'Go' }] }];
  return (await api.post('/v3/edit/tours', { name: 'Welcome', steps })).body.tour;
}
async function change(id: string, params: object): Promise<void> {
  expect((await api.patch(`/v3/edit/tours/${id}`, params)).status).toBe(200);
}
const rename = (id: string, name: string) => change(id, { name });

async function rowsOf(table: 'changes' | 'change_properties' | 'activities' | 'findings', experienceId: string) {
  const { account_id } = api.account;
  return api.app.storage
    .reader(account_id)
    .selectFrom(table)
    .selectAll()
    .where('account_id', '=', account_id)
    .where('experience_id', '=', experienceId)
    .execute() as Promise<Shown[]>;
}
/** Sweeps as a server does that has a later clock. */
const after = (days: number) => ({ ...api.app, now: () => api.app.now() + days * DAY });

describe('sweepChanges', () => {
  it('keeps the Changes since the last version, with which the draft can be reverted', async () => {
    const { id } = await addTour();
    await rename(id, 'Second');
    await change(id, { published_at: '$now' });
    const published = (await rowsOf('changes', id)).at(-1);
    await rename(id, 'Third');
    const before = await rowsOf('changes', id);
    await sweepChanges(after(100), 200);
    expect(await rowsOf('changes', id)).toEqual(before);
    await sweepChanges(after(100), undefined);
    expect(await rowsOf('changes', id)).toEqual(before);

    await sweepChanges(after(100), 30);

    const kept = await rowsOf('changes', id);
    expect(kept.length).toBeLessThan(before.length);
    expect(kept).toEqual(before.filter(({ write_id }) => write_id >= published.write_id));
    const ids = new Set(kept.map((row) => row.id));
    expect((await rowsOf('change_properties', id)).every(({ change_id }) => ids.has(change_id))).toBe(true);
    expect((await rowsOf('change_properties', id)).length).toBeGreaterThan(0);
    const reverted = await api.post(`/v3/edit/tours/${id}/revert`, { change_id: published.id });
    expect(reverted.body.tour.name).toBe('Second');
  });

  it('keeps the Changes since the version that is live, if a later one waits', async () => {
    const { id } = await addTour();
    await change(id, { published_at: '$now' });
    const live = (await rowsOf('changes', id)).at(-1);
    await rename(id, 'Later');
    await change(id, { published_at: new Date(api.app.now() + 300 * DAY).toISOString() });
    await sweepChanges(after(100), 30);
    expect((await rowsOf('changes', id))[0].write_id).toBe(live.write_id);
  });

  it('keeps all Changes of an Experience that was never published', async () => {
    const { id } = await addTour();
    await rename(id, 'Second');
    const before = await rowsOf('changes', id);
    await sweepChanges(after(100), 30);
    expect(await rowsOf('changes', id)).toEqual(before);
  });

  it('keeps the Change that deleted an Experience, and no other', async () => {
    const { id } = await addTour();
    await rename(id, 'Second');
    expect((await api.send('DELETE', `/v3/edit/tours/${id}`)).status).toBe(200);
    await sweepChanges(after(100), 30);
    expect(await rowsOf('changes', id)).toMatchObject([{ op: 'destroy', model_id: id, object: { name: 'Second' } }]);
  });

  it('looks at more Changes than one transaction does', async () => {
    const [old, kept] = [await addTour(), await addTour()];
    const [row] = await rowsOf('changes', old.id);
    const many = api.app.storage.dialect.rowsPerWrite * 2 + 1;
    const ids = Array.from({ length: many }, () => api.app.newId());
    const json = { object: JSON.stringify(row.object), options: JSON.stringify(row.options) };
    for (const at of [...Array(many).keys()]) {
      const id = ids[at] as string;
      const change = { ...row, ...json, id, write_id: id, experience_id: at % 2 ? kept.id : 'f'.repeat(24) };
      await api.app.storage.write(row.account_id, (db) => db.insertInto('changes').values(change).execute());
    }
    await sweepChanges(after(100), 30);
    expect(await rowsOf('changes', 'f'.repeat(24))).toEqual([]);
    expect((await rowsOf('changes', kept.id)).length).toBeGreaterThan(many / 2 - 1);
  });
});

describe('sweepFindings', () => {
  it('deletes findings from before the limit', async () => {
    const [one, two] = [await addTour(), await addTour()];
    const { account_id } = api.account;
    const { body } = await api.post('/v3/observe/hooks/profiles', { uid: 'user with findings' });
    const today = dayOf(api.app.now());
    const many = api.app.storage.dialect.rowsPerWrite + 1;
    const add = (experience_id: string, day: number, part = 'part') => {
      const of = { account_id, experience_id, profile_id: body.profile.id };
      return addFinding(api.app, of, day, part);
    };
    for (let at = 0; at < many; at++) await add(one.id, today - 31 - (at % 3), `part ${at}`);
    for (const id of [one.id, two.id]) for (const ago of [0, 30, 31, 400]) await add(id, today - ago);

    await sweepFindings(api.app, undefined);
    expect(await rowsOf('findings', one.id)).toHaveLength(many + 4);
    await sweepFindings(api.app, 30);

    const days = async (id: string) => (await rowsOf('findings', id)).map(({ day }) => today - day).sort();
    expect([await days(one.id), await days(two.id)]).toEqual([
      [0, 30],
      [0, 30],
    ]);
  });
});

describe('sweepActivities', () => {
  const today = () => dayOf(api.app.now());
  const countsOf = async (id: string) =>
    (await api.get(`/v3/analyze/tours/${id}/stats`, { query: `from=${toDate(today() - 90)}` })).body.stats;

  /** Stores that a user started a tour, some days ago. */
  async function addStarts(experience_id: string, uid: string, daysAgo: readonly number[], test = false) {
    const { account_id } = api.account;
    const profile_id: string = (await api.post('/v3/observe/hooks/profiles', { uid })).body.profile.id;
    if (test) expect((await api.patch(`/v3/edit/profiles/${profile_id}`, { test })).status).toBe(200);
    const of = { account_id, experience_id, profile_id, what: 'started' as const, part_id: '' };
    const rows = daysAgo.map((ago) => ({ ...of, day: today() - ago }));
    for (let at = 0; at < rows.length; at += 500)
      await api.app.storage.write(account_id, (db) =>
        db
          .insertInto('activities')
          .values(rows.slice(at, at + 500))
          .execute(),
      );
    await recountUse(api.app, account_id);
    return profile_id;
  }
  /** How many days ago a user started a tour, by the rows. */
  const startsOf = async (id: string, profileId: string) =>
    (await rowsOf('activities', id))
      .filter((row) => row.profile_id === profileId && row.what === 'started')
      .map(({ day }) => today() - day)
      .sort((one, other) => one - other);
  const setRecount = (recount_at: number | null) =>
    api.app.storage.write(null, (db) =>
      db.updateTable('accounts').set({ recount_at }).where('id', '=', api.account.account_id).execute(),
    );

  it('deletes rows from before the limit except the newest, and keeps the counts', async () => {
    const { id } = await addTour();
    const many = Array.from({ length: 5100 }, (_, at) => at);
    const [often, once] = [await addStarts(id, 'often', many), await addStarts(id, 'once', [40, 50])];
    const tester = await addStarts(id, 'tester', [40, 50], true);
    const before = await countsOf(id);
    expect(before.totals.started).toBe(2);
    await sweepActivities(api.app, undefined);
    await setRecount(0);
    await sweepActivities(api.app, 30);
    expect(await startsOf(id, once)).toEqual([40, 50]);
    await setRecount(null);

    await sweepActivities(api.app, 30);

    expect(await startsOf(id, often)).toEqual(many.slice(0, 31));
    expect(await startsOf(id, once)).toEqual([40]);
    expect(await startsOf(id, tester)).toEqual([40, 50]);
    expect(await countsOf(id)).toEqual(before);
  });

  it('happens once a day', async () => {
    const { id } = await addTour();
    let now = api.app.now();
    const app = { ...api.app, now: () => now };
    const sweep = onceADay(app, () => sweepActivities(app, 30));
    await sweep();
    const user = await addStarts(id, 'late', [31, 32]);
    await sweep();
    expect(await startsOf(id, user)).toEqual([31, 32]);
    now += DAY;
    await sweep();
    expect(await startsOf(id, user)).toEqual([31]);
  });
});
