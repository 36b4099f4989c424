import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { addUserRows } from '../../../../test/user-rows.ts';
import { runCommand } from '../../../cli/cli.ts';
import { profileUseTables } from '../deletions/profile-tables.ts';
import { exportedTables } from './exported-tables.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());
beforeEach(() => api.replaceAccounts());

async function save(params: object, as = api.account): Promise<string> {
  const { status, body } = await api.post('/v3/observe/hooks/profiles', params, { as });
  expect([status, body.messages]).toEqual([200, undefined]);
  return body.profile.id;
}

/** A user with a unique text in every place. `hidden` lists the texts that the export must not have. */
async function addUser() {
  const shown: string[] = [];
  const hidden: string[] = [];
  const internal = new Set(['pickkey', 'pickcode', 'claim', 'repeat', 'toldkey', 'merged']);
  const canary = (place: string) => {
    (internal.has(place) ? hidden : shown).push(`canary${place}`);
    return `canary${place}`;
  };
  const company = { uid: canary('company'), name: canary('motto') };
  const id = await save({ uid: canary('uid'), email: canary('email'), plan: canary('plan'), company });
  await api.post('/v3/observe/hooks/events', { id, name: canary('event'), size: canary('size') });
  await addUserRows(api.app, api.account.account_id, id, canary);
  return { id, shown, hidden };
}

async function exportOf(id: string) {
  const { status, headers, body, text } = await api.get(`/v3/edit/profiles/${id}/export`);
  expect(status).toBe(200);
  return { headers, body, text };
}

describe('the export of a person', () => {
  it('has every table that names profiles', () => {
    expect(Object.keys(exportedTables).sort()).toEqual([...profileUseTables, 'deliveries', 'picks'].sort());
  });

  it('is one file with everything that is stored about the person, and without keys', async () => {
    const { id, shown, hidden } = await addUser();
    const { headers, body, text } = await exportOf(id);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="person-${id}.json"`);
    expect(shown.filter((one) => !text.toLowerCase().includes(one.toLowerCase()))).toEqual([]);
    expect(hidden.filter((one) => text.includes(one))).toEqual([]);
    for (const { as } of Object.values(exportedTables)) expect([as, body[as].length > 0]).toEqual([as, true]);
    expect(body).toMatchObject({
      exported_at: expect.stringMatching(/Z$/),
      account_id: api.account.account_id,
      profile: { id, uid: 'canaryuid', company: { name: 'canarymotto' } },
      company: { uid: 'canarycompany', name: 'canarymotto' },
      properties: [{ prop: 'plan', value: 'canaryplan', source: 'api', sent_at: expect.any(String) }],
      events: [{ created_at: expect.any(String), name: 'canaryevent', custom: { size: 'canarysize' } }],
      activities: [{ day: '2027-07-01', previous_day: null, what: 'started' }, { what: 'step' }],
    });
  });

  it('has nothing about anybody else', async () => {
    const id = await save({ uid: 'ann' });
    await addUser();
    const { body, text } = await exportOf(id);
    expect(text).not.toContain('canary');
    for (const { as } of Object.values(exportedTables)) expect(body[as]).toEqual([]);
    expect((await api.get(`/v3/edit/profiles/${id}/export`, { as: api.other })).status).toBe(404);
    expect((await api.get(`/v3/edit/profiles/${'f'.repeat(24)}/export`)).status).toBe(404);
    expect((await api.get('/v3/edit/profiles/ann/export')).status).toBe(404);
  });

  it('has all rows of a table of several chunks, once each', async () => {
    const id = await save({ uid: 'ann' });
    const { account_id } = api.account;
    const ids = Array.from({ length: 2500 }, () => api.app.newId());
    const day = { account_id, profile_id: id, experience_id: 'e'.repeat(24), what: 'started' as const };
    await api.app.storage.write(account_id, async (db) => {
      for (let start = 0; start < ids.length; start += 500) {
        const chunk = ids.slice(start, start + 500);
        const events = chunk.map((id_) => ({ account_id, profile_id: id, id: id_, name: 'Opened', custom: '{}' }));
        await db.insertInto('events').values(events).execute();
        const days = chunk.map((_, index) => ({
          ...day,
          day: Math.floor((start + index) / 7),
          part_id: `p${index % 7}`,
        }));
        await db
          .insertInto('activities')
          .values(days)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
    });
    const { body } = await exportOf(id);
    expect(body.events.map((event: { id: string }) => event.id)).toEqual(ids);
    expect(body.activities.length).toBeGreaterThan(2000);
    expect(new Set(body.activities.map((one: object) => JSON.stringify(one))).size).toBe(body.activities.length);
  });

  it('is in the audit log, which does not name the person', async () => {
    const id = await save({ uid: 'ann' });
    await exportOf(id);
    await api.get(`/v3/edit/profiles/${'f'.repeat(24)}/export`);
    const { body } = await api.get('/v3/analyze/audit_entries?action=profile.export');
    expect(body.audit_entries).toMatchObject([{ action: 'profile.export', target_id: null, details: {} }]);
  });
});

describe('an export for which there is no place', () => {
  it('is not in the audit log', async () => {
    const id = await save({ uid: 'ann' });
    const { account_id } = api.account;
    const client = new AbortController();
    const places = Array.from({ length: 24 }, () => api.app.downloads.enter(account_id, client).catch(() => () => {}));
    expect((await api.get(`/v3/edit/profiles/${id}/export`)).status).toBe(429);
    const exports = async () =>
      (await api.get('/v3/analyze/audit_entries?action=profile.export')).body.audit_entries.length;
    expect(await exports()).toBe(0);
    for (const place of places) (await place)();
    await exportOf(id);
    expect(await exports()).toBe(1);
  });
});

describe('usher profile export', () => {
  async function run(...args: string[]) {
    const output = { out: '', err: '' };
    const code = await runCommand(['profile', 'export', ...args], api.database.env, {
      print: (text) => {
        output.out += text;
      },
      printError: (text) => {
        output.err += text;
      },
      untilStopped: async () => {},
    });
    return { code, ...output };
  }
  const account = () => ['--account', api.account.account_id];

  it('prints the same document, by ID, uid or email', async () => {
    const id = await save({ uid: 'ann', email: 'Ann@acme.test', plan: 'pro' });
    const { body } = await exportOf(id);
    for (const name of [id, 'ann', 'ann@ACME.test']) {
      const { code, out, err } = await run(name, ...account());
      expect([code, err]).toEqual([0, '']);
      expect(JSON.parse(out)).toEqual({ ...body, exported_at: expect.any(String) });
    }
    const entries = (await api.get('/v3/analyze/audit_entries?action=profile.export')).body.audit_entries;
    expect(entries.map(({ user }: { user: unknown }) => user === null)).toEqual([true, true, true, false]);
  });

  it('says what is missing', async () => {
    await save({ uid: 'ann' }, api.other);
    expect(await run('ann', ...account())).toMatchObject({ code: 1, out: '', err: expect.stringContaining('"ann"') });
    expect(await run(...account())).toMatchObject({
      code: 2,
      err: expect.stringContaining('give one ID, uid or email'),
    });
    expect(await run('ann')).toMatchObject({ code: 2, err: expect.stringContaining('--account') });
  });
});
