import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { type Api, startApi } from './api.ts';
import { engine } from './engine.ts';
import { loadPage } from './open-page.ts';
import { recountUse } from './use-rows.ts';
import { newUid, openDomain, PAGE } from './visiting.ts';

/*
 * Operations that run at the same time and need the same rows. PostgreSQL normally resolves a deadlock after a second
 * by running one of the transactions again, so a deadlock would only be slow. Here it does not resolve deadlocks: a
 * statement fails, and its request gets 503.
 */
const isPostgres = engine === 'postgres' && inject('canCopyDatabases');
let first: Api;
let api: Api;

beforeAll(async () => {
  first = await startApi({ inTest: false });
  if (isPostgres)
    await first.app.storage.write(null, (db) =>
      sql`do $$ begin
        execute format('alter database %I set deadlock_timeout = ''1min''', current_database());
      end $$`.execute(db),
    );
  // Connections that are open already keep the setting that they began with.
  api = await startApi({ inTest: false, beside: first });
});
afterAll(async () => {
  await api.stop();
  await first.stop();
});

const many = <T>(count: number, work: (n: number) => T) => Array.from({ length: count }, (_, n) => work(n));
const create = async (path: string, body: object, name: string) => {
  const response = await api.post(path, body);
  expect([response.status, response.body.messages]).toEqual([201, undefined]);
  return response.body[name];
};
/** Waits for all requests, and returns their statuses. */
const statusesOf = async (requests: Promise<{ status: number }>[]) =>
  (await Promise.all(requests)).map(({ status }) => status);

/** Locks a row until `release`, so that requests wait for it in the order in which they arrive. */
async function holdRow(table: string, id: string, { account_id } = api.account) {
  const client = new pg.Client({ connectionString: api.database.env.DATABASE_URL });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('begin');
  await client.query(`select 1 from ${table} where account_id = $1 and id = $2 for update`, [account_id, id]);
  const watcher = new pg.Client({ connectionString: api.database.env.DATABASE_URL });
  await watcher.connect();
  onTestFinished(() => watcher.end());
  return {
    run: (text: string, values: unknown[]) => watcher.query(text, values),
    /** Resolves when this many statements wait for a lock. */
    untilWaiting: (count: number) =>
      vi.waitFor(async () => {
        const { rows } = await watcher.query(
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        expect(rows).toHaveLength(count);
      }, 10_000),
    release: () => client.query('commit'),
  };
}

describe('deleting a Tag', () => {
  it.runIf(isPostgres)(
    'does not wait for an Experience that waits for the Tag',
    async () => {
      const { id } = await create('/v3/edit/tags', { name: 'Both' }, 'tag');
      const [one, other] = await Promise.all(many(2, (n) => create('/v3/edit/tours', { name: `Tour ${n}` }, 'tour')));
      const held = await holdRow('tags', id);
      const deleting = api.send('DELETE', `/v3/edit/tags/${id}`);
      await held.untilWaiting(1);
      // The Experience got the Tag in a transaction that ended after the deletion had searched for such Experiences.
      const { account_id } = api.account;
      await held.run(
        `update experiences set draft = jsonb_set(draft::jsonb, '{tag_ids}', jsonb_build_array($3::text))
       where account_id = $1 and id = $2`,
        [account_id, one.id, id],
      );
      await held.run('insert into experience_uses (account_id, experience_id, used_id) values ($1, $2, $3)', [
        account_id,
        one.id,
        id,
      ]);
      const adding = api.patch('/v3/edit/experiences/batch', { ids: [one.id, other.id], tag_id: `+${id}` });
      await held.untilWaiting(2);
      await held.release();
      // Either request can come first: the Tag is gone before it is added, or it is removed from both Experiences.
      const [deleted, added] = await statusesOf([deleting, adding]);
      expect(deleted).toBe(200);
      expect([200, 404]).toContain(added);
      for (const tour of [one, other])
        expect((await api.get(`/v3/edit/tours/${tour.id}`)).body.tour.tag_ids).toEqual([]);
    },
    60_000,
  );

  it('succeeds while others add it', async () => {
    const tours = await Promise.all(many(5, (n) => create('/v3/edit/tours', { name: `Tour ${n}` }, 'tour')));
    const ids = tours.map(({ id }) => id);
    for (let round = 0; round < 15; round++) {
      const { id } = await create('/v3/edit/tags', { name: `Tag ${round}` }, 'tag');
      const [deleted, ...added] = await statusesOf([
        api.send('DELETE', `/v3/edit/tags/${id}`),
        ...ids.map((tour) => api.patch(`/v3/edit/tours/${tour}`, { tag_id: `+${id}` })),
        api.patch('/v3/edit/experiences/batch', { ids, tag_id: `+${id}` }),
      ]);
      expect([deleted, added.filter((status) => status !== 200 && status !== 404)]).toEqual([200, []]);
      const { body } = await api.get('/v3/edit/tours');
      expect(body.tours.flatMap(({ tag_ids }: { tag_ids: string[] }) => tag_ids)).not.toContain(id);
    }
  }, 60_000);
});

describe('reverting', () => {
  it.runIf(isPostgres)(
    'does not wait for an upload of a language that waits for the Experience',
    async () => {
      const tour = await create('/v3/edit/tours', { name: 'Tour', steps: [{ title: 'Hello' }] }, 'tour');
      const { body: file } = await api.get(`/v3/edit/tours/${tour.id}/i18n.json`);
      file.language.code = 'fr';
      const upload = async (title: string) => {
        file.experiences[0].steps[0].translations.title.text = title;
        const form = new FormData();
        form.append('file', new Blob([JSON.stringify(file)]), 'fr.json');
        return api.post('/v3/edit/i18n', form);
      };
      expect((await upload('Bonjour')).body.messages).toBe(undefined);
      const { body } = await api.get(`/v3/edit/tours/${tour.id}/changes`);
      const translated = body.changes[0].id;
      const languages = async () => (await api.get('/v3/edit/languages')).body.languages;
      const [{ id: language }] = await languages();
      expect(
        (await api.send('DELETE', `/v3/edit/languages/${language}`, { query: 'cascade=translations' })).status,
      ).toBe(200);

      const held = await holdRow('experiences', tour.id);
      const reverting = api.post(`/v3/edit/tours/${tour.id}/revert`, { change_id: translated });
      await held.untilWaiting(1);
      await create('/v3/edit/languages', { code: 'fr' }, 'language');
      const uploading = upload('Salut');
      await held.untilWaiting(2);
      await held.release();
      expect(await statusesOf([reverting, uploading])).toEqual([200, 200]);
      expect(await languages()).toHaveLength(1);
    },
    60_000,
  );
});

describe('archiving an Environment', () => {
  it('succeeds while Urls are added to it, moved and taken out of it', async () => {
    for (let round = 0; round < 15; round++) {
      const { id: url_group_id } = await create('/v3/edit/url_groups', { name: `Environment ${round}` }, 'url_group');
      const add = (n: number) => api.post('/v3/edit/urls', { host: `h${n}.r${round}.example.com`, url_group_id });
      const urls = (await Promise.all(many(3, add))).map(({ body }) => body.url.id);
      const tour = await create('/v3/edit/tours', { name: `Tour ${round}` }, 'tour');
      const statuses = await statusesOf([
        ...many(3, (n) => add(n + 10)),
        api.patch(`/v3/edit/urls/${urls[0]}`, { url_group_id, enabled: 'on' }),
        api.patch(`/v3/edit/url_groups/${url_group_id}`, { archived_at: '$now', urls_action_on_archive: 'archive' }),
        api.post('/v3/edit/urls/batch', { ids: urls.toReversed(), enabled: 'off' }),
        api.patch(`/v3/edit/tours/${tour.id}`, { url_group_id: `+${url_group_id}` }),
        api.post(`/v3/edit/urls/${urls[1]}/move`, { url_group_id, experience_ids: [tour.id] }),
        ...many(2, (n) => add(n + 20)),
      ]);
      expect(statuses.filter((status) => status !== 200 && status !== 201)).toEqual([]);
    }
  }, 60_000);

  it.runIf(isPostgres)(
    'does not wait for the removal of sample data that waits for it',
    async () => {
      const as = api.other;
      expect((await api.post('/v3/edit/sample_data', {}, { as })).status).toBeLessThan(300);
      const { body } = await api.get('/v3/edit/urls', { as });
      const { url_group_id } = body.urls[0];
      const held = await holdRow('url_groups', url_group_id, as);
      const change = { archived_at: '$now', urls_action_on_archive: 'archive' };
      const archiving = api.patch(`/v3/edit/url_groups/${url_group_id}`, change, { as });
      await held.untilWaiting(1);
      const removing = api.send('DELETE', '/v3/edit/sample_data', { as });
      await held.untilWaiting(2);
      await held.release();
      expect(await statusesOf([archiving, removing])).toEqual([200, 200]);
    },
    60_000,
  );
});

describe('counting again', () => {
  it.runIf(isPostgres)('does not wait for a user who is being cleared', async () => {
    const { account_id } = api.account;
    const step = { title: 'Hello' };
    const tour = await create('/v3/edit/tours', { name: 'Seen', steps: [step], published_at: '$now' }, 'tour');
    await openDomain(api);
    const page = await loadPage(api, newUid(), { href: PAGE });
    expect((await page.report({ experience_id: tour.id, state: 'started' })).status).toBe(200);
    // The transaction that clears the user has deleted what they did, and has not taken the clock of the account yet.
    const clearing = new pg.Client({ connectionString: api.database.env.DATABASE_URL });
    await clearing.connect();
    onTestFinished(() => clearing.end());
    await clearing.query('begin');
    const mine = 'where account_id = $1 and profile_id = $2';
    const deleted = await clearing.query(`delete from activities ${mine}`, [account_id, page.profile.id]);
    expect(deleted.rowCount).toBeGreaterThan(1);
    await recountUse(api.app, account_id);
    await clearing.query('rollback');
    const { tour: shown } = (await api.get(`/v3/edit/tours/${tour.id}`)).body;
    expect(shown.stats.started_count).toBe(1);
  });
});
