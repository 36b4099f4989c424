import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, type ApiResponse, newEmail, startApi } from '../../../../test/api.ts';
import { HOST, newUid, openDomain, visit } from '../../../../test/visiting.ts';
import { type CreatedAccount, createAccount } from '../../team/accounts/create-account.ts';

/*
 * Two nodes, several tabs of one person, and administrators who do the same at the same time.
 */

let nodes: [Api, Api];
let as: CreatedAccount;
beforeAll(async () => {
  const api = await startApi({ inTest: false });
  nodes = [api, await startApi({ inTest: false, beside: api })];
});
afterAll(async () => {
  const [first, second] = nodes;
  await second.stop();
  await first.stop();
});
beforeEach(async () => {
  as = await createAccount(nodes[0].app, { name: 'Races', email: newEmail() });
  await openDomain(nodes[0], as);
});

const path = '/v3/edit/experiments';
let turn = 0;
/** Each request goes to the other node. */
const node = (): Api => nodes[++turn % 2] as Api;
const post = (path: string, body: object = {}) => node().post(path, body, { as });
async function sent(response: Promise<ApiResponse>, status = 200): Promise<ApiResponse['body']> {
  const { status: is, body } = await response;
  expect([is, body.messages]).toEqual([status, undefined]);
  return body;
}
const statuses = (responses: readonly ApiResponse[]) => responses.map(({ status }) => status).sort();

async function start(params: object = {}) {
  const tour = (await sent(post('/v3/edit/tours', { name: 'Tour', steps: [{ title: 'Hello' }], ...params }), 201)).tour;
  const goal = (await sent(post('/v3/edit/goals', { name: 'Paid', event_name: 'Paid' }), 201)).goal;
  const made = { name: 'Race', goal_ids: [goal.id], variants: toVariants(tour.id, 50) };
  const { experiment } = await sent(post(path, made), 201);
  await sent(post(`${path}/${experiment.id}/start`));
  return {
    tour: tour.id as string,
    goal: goal.id as string,
    id: experiment.id as string,
    variants: experiment.variants,
  };
}
const toVariants = (tour: string, share: number) => [
  { name: 'Nothing', share: 100 - share },
  { name: 'Tour', experience_id: tour, share },
];
const load = async (uid: string) => {
  const body = await sent(visit(node(), { uid, href: `https://${HOST}/` }, { as }));
  return body.experiences.map(({ id }: { id: string }) => id).join() as string;
};
const exposures = () =>
  nodes[0].app.storage
    .reader(as.account_id)
    .selectFrom('exposures')
    .selectAll()
    .where('account_id', '=', as.account_id)
    .execute();
const resultsOf = async (id: string) =>
  (await sent(node().get(`/v3/analyze/experiments/${id}/results`, { as }))).results;
const actions = async (): Promise<string[]> =>
  (await sent(node().get('/v3/analyze/audit_entries', { as, query: 'limit=100' }))).audit_entries.map(
    ({ action }: { action: string }) => action,
  );

describe('people on two nodes', () => {
  it('are in one arm each, also if they are new, and all of their pages show the same', async () => {
    const { id, variants } = await start();
    for (let round = 0; round < 12; round++) {
      const uid = newUid();
      const shown = await Promise.all(Array.from({ length: 6 }, () => load(uid)));
      expect(new Set(shown).size).toBe(1);
      expect(await load(uid)).toBe(shown[0]);
    }
    const rows = await exposures();
    expect(rows).toHaveLength(12);
    const seen = rows.filter(({ variant_id }) => variant_id === variants[1].id).length;
    expect(await resultsOf(id)).toMatchObject({
      exposed_count: 12,
      variants: [{ exposed_count: 12 - seen }, { exposed_count: seen }],
    });
  });

  it('stay in their arm while the shares change, and each of them counts once', async () => {
    const { id, tour } = await start();
    const uids = Array.from({ length: 24 }, newUid);
    const shown = new Map<string, Set<string>>(uids.map((uid) => [uid, new Set()]));
    const changes = [80, 20, 30, 20, 80, 60];
    const visits = uids.flatMap((uid) =>
      [1, 2].map(async () => {
        shown.get(uid)?.add(await load(uid));
      }),
    );
    const edits = changes.map((share) =>
      sent(node().patch(`${path}/${id}`, { variants: toVariants(tour, share) }, { as })),
    );
    await Promise.all([...visits, ...edits]);
    for (const uid of uids) shown.get(uid)?.add(await load(uid));
    expect([...shown.values()].map(({ size }) => size)).toEqual(uids.map(() => 1));
    expect(await exposures()).toHaveLength(uids.length);
    expect(await resultsOf(id)).toMatchObject({ exposed_count: uids.length, sample_ratio: { is_right: true } });
  });
});

describe('administrators on two nodes', () => {
  it('publish the winner once', async () => {
    const { id, variants } = await start();
    const ends = variants.flatMap(({ id: variant_id }: { id: string }) =>
      [1, 2].map(() => post(`${path}/${id}/publish_winner`, { variant_id })),
    );
    expect(statuses(await Promise.all(ends))).toEqual([200, 409, 409, 409]);
    expect((await actions()).filter((action) => action === 'experiment.publish_winner')).toHaveLength(1);
    const undos = await Promise.all([1, 2, 3].map(() => post(`${path}/${id}/undo`)));
    expect(statuses(undos)).toEqual([200, 409, 409]);
  });

  it('start it once, and let it end or run', async () => {
    const { id, tour } = await start();
    const other = await sent(post(path, { name: 'Other', variants: toVariants(tour, 50) }), 201);
    const starts = await Promise.all([1, 2, 3].map(() => post(`${path}/${other.experiment.id}/start`)));
    expect(statuses(starts)).toEqual([409, 409, 409]);
    await sent(post(`${path}/${id}/end`));
    const again = await Promise.all([id, other.experiment.id].flatMap((one) => [undo(one), begin(one)]));
    expect(statuses(again)).toEqual([200, 409, 409, 409]);
  });
  const undo = (id: string) => post(`${path}/${id}/undo`);
  const begin = (id: string) => post(`${path}/${id}/start`);

  it('delete it with all of its exposures, or let it run with all of them', async () => {
    for (let round = 0; round < 6; round++) {
      const { id } = await start();
      const before = (await exposures()).length;
      for (let n = 0; n < 5; n++) await load(newUid());
      await sent(post(`${path}/${id}/end`));
      const [deleted, undone] = await Promise.all([node().send('DELETE', `${path}/${id}`, { as }), undo(id)]);
      const left = (await exposures()).length - before;
      if (undone?.status === 200) expect([deleted?.status, left]).toEqual([409, 5]);
      else expect([deleted?.status, left]).toEqual([200, 0]);
      if (undone?.status === 200) await sent(post(`${path}/${id}/end`));
    }
  });

  it('cannot let an experiment run again while it is being deleted', async () => {
    const { id } = await start();
    await sent(post(`${path}/${id}/end`));
    // As after a server that was killed while it deleted many exposures.
    await nodes[0].app.storage.write(as.account_id, (db) =>
      db
        .updateTable('experiments')
        .set({ undo: null })
        .where('account_id', '=', as.account_id)
        .where('id', '=', id)
        .execute(),
    );
    const { status, body } = await undo(id);
    expect([status, body.messages]).toEqual([409, [expect.stringContaining('is being deleted')]]);
    await sent(node().send('DELETE', `${path}/${id}`, { as }));
  });

  it('delete a goal while it is counted, or not at all', async () => {
    for (let round = 0; round < 4; round++) {
      const goal = (await sent(post('/v3/edit/goals', { name: 'Left', event_name: 'Left' }), 201)).goal.id;
      const { tour } = await start({ goals: [{ goal_id: goal }, { name: 'Paid', event_name: 'Paid' }] });
      const results = () => node().get(`/v3/analyze/tours/${tour}/goals`, { as });
      await Promise.all([results(), results()]);
      const all = await Promise.all([
        results(),
        node().patch(`/v3/edit/tours/${tour}`, { goals: [{ name: 'Paid', event_name: 'Paid' }] }, { as }),
        node().send('DELETE', `/v3/edit/goals/${goal}`, { as }),
        results(),
        ...(round % 2 === 0 ? [] : [node().send('DELETE', `/v3/edit/goals/${goal}`, { as }), results()]),
      ]);
      for (const { status } of all) expect([200, 404, 409]).toContain(status);
      const { body } = await results();
      expect(body.results.goals.map(({ name }: { name: string }) => name)).toEqual(['Paid']);
    }
  });

  it('leave no counts of an Experience that is deleted while its goals are counted', async () => {
    const { body } = await post('/v3/edit/tours', { name: 'Gone', goals: [{ name: 'Paid', event_name: 'Paid' }] });
    const tour = body.tour.id;
    const results = () => node().get(`/v3/analyze/tours/${tour}/goals`, { as });
    const all = await Promise.all([results(), node().send('DELETE', `/v3/edit/tours/${tour}`, { as }), results()]);
    for (const { status } of all) expect([200, 404]).toContain(status);
    const reader = nodes[0].app.storage.reader(as.account_id);
    for (const table of ['goal_counts', 'goal_count_runs'] as const) {
      // The type of one table stands for both.
      const rows = reader.selectFrom(table as 'goal_counts').select('experience_id');
      const left = rows.where('account_id', '=', as.account_id).where('experience_id', '=', tour);
      expect(await left.execute()).toEqual([]);
    }
  });
});
