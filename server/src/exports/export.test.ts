import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../test/api.ts';
import { BUCKET, startS3 } from '../../test/s3-server.ts';
import { newUid, openDomain, visit } from '../../test/visiting.ts';
import { openWarehouse, type Warehouse } from '../../test/warehouse.ts';
import { runCommand } from '../cli/cli.ts';
import { readSettings } from '../settings/settings.ts';
import { listFiles } from './export-files.ts';
import { exportTables } from './export-tables.ts';
import { type ExportPace, runExport } from './run-export.ts';

const HOUR = 60 * 60_000;
let now: number;
let api: Api;
let warehouse: Warehouse;

beforeEach(async () => {
  now = Date.parse('2029-04-07T12:00:00Z');
  api = await startApi({ now: () => now });
  warehouse = openWarehouse();
  await usher({}, 'export');
});

/** Runs a command with the settings of an export to the folder, and returns what it prints. */
async function usher(env: NodeJS.ProcessEnv, ...argv: string[]): Promise<string> {
  let out = '';
  const print = (text: string) => {
    out += text;
  };
  const all = { ...api.database.env, USHER_EXPORT_TO: warehouse.folder, ...env };
  await runCommand(argv, all, { print, printError: print, untilStopped: () => new Promise(() => {}) });
  return out;
}

const idle: ExportPace = { isBusy: () => false, yieldToRequests: async () => {}, isStopped: () => false };

/** Exports with the clock of the test. */
function exportNow(env: NodeJS.ProcessEnv = {}, pace: Partial<ExportPace> = {}, app = api.app) {
  const settings = readSettings({ ...api.database.env, USHER_EXPORT_TO: warehouse.folder, ...env });
  return runExport(app, { ...settings, export: settings.export as never }, { ...idle, ...pace });
}

async function send(uid: string, name: string, more: object = {}): Promise<void> {
  const { status, body } = await api.post('/v3/observe/hooks/events', { uid, name, ...more });
  expect([status, body.messages]).toEqual([200, undefined]);
}

const names = async (table = 'events') => (await warehouse.rows(table)).map(({ name }) => name).sort();

describe('an export', () => {
  it('has each event once, with new ones in new files', async () => {
    const uid = newUid();
    await send(uid, 'Opened', { plan: 'pro', note: 'a "quoted", text\nwith two lines' });
    await exportNow();
    const [row, ...more] = await warehouse.rows('events');
    expect(more).toEqual([]);
    const { profile } = (await api.get('/v3/analyze/profile', { query: `uid=${uid}` })).body;
    expect(row).toMatchObject({ account_id: api.account.account_id, profile_id: profile.id, uid, name: 'opened' });
    expect(row?.properties).toEqual({ plan: 'pro', note: 'a "quoted", text\nwith two lines' });
    expect(row?.created_at).toBe('2029-04-07T12:00:00.000Z');
    await send(uid, 'Saved');
    await exportNow();
    await exportNow();
    expect(await names()).toEqual(['opened', 'saved']);
    // The first file of each of the two accounts was written when there was no event yet.
    expect(warehouse.files('events')).toHaveLength(4);
  });

  it('writes the same as CSV, with nothing for null and quotes for an empty text', async () => {
    const uid = newUid();
    await send(uid, 'Opened', { note: 'a "quoted", text' });
    await exportNow({ USHER_EXPORT_FORMAT: 'csv' });
    const [row] = await warehouse.rows('events', 'csv');
    expect(row).toMatchObject({ uid, name: 'opened', created_at: '2029-04-07T12:00:00.000Z' });
    expect(JSON.parse(String(row?.properties))).toEqual({ note: 'a "quoted", text' });
  });

  it('has rows that come late, or while the clock was behind, exactly once', async () => {
    await send('late-1', 'First');
    await exportNow();
    await send('late-1', 'Of yesterday', { created_at: new Date(now - 24 * HOUR).toISOString() }).catch(() => {});
    now -= 5 * HOUR;
    await send('a-late-2', 'Clock behind');
    await exportNow();
    now += 9 * HOUR;
    await send('late-1', 'Last');
    await exportNow();
    const rows = await warehouse.rows('events');
    expect(rows.map(({ name }) => name)).toContain('clock_behind');
    const stored = await api.app.storage
      .reader(api.account.account_id)
      .selectFrom('events')
      .select('id')
      .where('account_id', '=', api.account.account_id)
      .execute();
    expect(rows.map(({ id }) => id).sort()).toEqual(stored.map(({ id }) => id).sort());
  });

  it('exports the rest after it was stopped, and never a row twice', async () => {
    const events = Array.from({ length: 900 }, (_, at) => ({ uid: `user-${at % 37}`, name: `Event ${at}` }));
    await api.post('/v3/observe/hooks/events/batch', { events });
    for (let chunks = 1; chunks < 8; chunks++) {
      let done = 0;
      const isStopped = () => ++done > chunks;
      await exportNow({ USHER_EXPORT_ROWS: '300' }, { isStopped }).catch((error) =>
        expect(error.message).toContain('stopped'),
      );
    }
    await exportNow({ USHER_EXPORT_ROWS: '300' });
    const rows = await warehouse.rows('events');
    expect(rows).toHaveLength(900);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(900);
  });

  it('has each row once when several nodes export at the same time, and one has lost its claim', async () => {
    const beside = await startApi({ beside: api, now: () => now });
    const events = Array.from({ length: 600 }, (_, at) => ({ uid: `user-${at % 7}`, name: `Event ${at}` }));
    await api.post('/v3/observe/hooks/events/batch', { events });
    let isFirst = true;
    // The first node stops for as long as the second one needs.
    const yieldToRequests = async () => {
      if (!isFirst) return;
      isFirst = false;
      await exportNow({}, {}, beside.app);
    };
    await expect(exportNow({}, { yieldToRequests })).rejects.toThrow('another export has taken over');
    await exportNow();
    const rows = await warehouse.rows('events');
    expect(rows).toHaveLength(600);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(600);
  });

  it('recognizes a file that is there but was not noted, and gives up one that is not', async () => {
    await send(newUid(), 'Opened');
    await exportNow();
    const { account_id } = api.account;
    const [file] = (await listFiles(api.app, account_id)).filter(({ rows_count }) => Number(rows_count) > 0);
    const unwrite = () =>
      api.app.storage.write(account_id, (db) =>
        db
          .updateTable('export_files')
          .set({ written_at: null })
          .where('account_id', '=', account_id)
          .where('number', '=', file?.number ?? 0)
          .execute(),
      );
    await unwrite();
    await exportNow();
    expect(await names()).toEqual(['opened']);
    await unwrite();
    rmSync(join(warehouse.folder, file?.name ?? ''));
    await exportNow();
    expect(await names()).toEqual(['opened']);
    // The file of a run that had lost its claim appears afterwards.
    writeFileSync(join(warehouse.folder, file?.name ?? ''), 'late');
    await exportNow();
    expect(await names()).toEqual(['opened']);
  });

  it('stops when the folder has newer files than the database, as after a restore', async () => {
    await send(newUid(), 'Opened');
    await exportNow();
    const newest = warehouse.files('events').at(-1) ?? '';
    renameSync(join(warehouse.folder, newest), join(warehouse.folder, newest.replace(/\d{8}\./, '00000099.')));
    await send(newUid(), 'Saved');
    await expect(exportNow()).rejects.toThrow('this database has not written it: a backup was restored');
  });
});

describe('what users did', () => {
  it('is exported: activities on their day, and a Response when it is quiet, again after it changed', async () => {
    await openDomain(api);
    const steps = [{ title: 'How likely?', preset: 'survey_nps' }];
    const { survey } = (await api.post('/v3/edit/surveys', { name: 'NPS', steps, published_at: '$now' })).body;
    const uid = newUid();
    const loaded = (await visit(api, { uid })).body;
    const report = (params: object) =>
      api.post('/v3/observe/interactions', { visit_token: loaded.visit.token, ...params }, { as: null });
    await report({ experience_id: survey.id, state: 'started' });
    const answer = (value: string) =>
      report({ experience_id: survey.id, step_id: survey.steps[0].id, response: { value } });
    expect((await answer('9')).status).toBe(200);
    await exportNow();
    expect(await warehouse.rows('responses')).toEqual([]);
    const activities = await warehouse.rows('activities');
    expect(activities).toContainEqual(
      expect.objectContaining({ uid, experience_id: survey.id, what: 'started', part_id: '', day: '2029-04-07' }),
    );
    now += 3 * HOUR;
    await exportNow();
    const [response, ...more] = await warehouse.rows('responses');
    expect(more).toEqual([]);
    expect(response).toMatchObject({ uid, experience_id: survey.id, score: 9n });
    expect(response?.answers).toEqual([expect.objectContaining({ value: '9' })]);
    now += HOUR;
    const again = (await visit(api, { uid })).body;
    await api.post(
      '/v3/observe/interactions',
      {
        ...{ visit_token: again.visit.token, experience_id: survey.id, step_id: survey.steps[0].id },
        response: { value: '3' },
      },
      { as: null },
    );
    await exportNow();
    now += 3 * HOUR;
    await exportNow();
    await exportNow();
    const rows = await warehouse.rows('responses');
    expect(rows.map(({ id }) => id)).toEqual([response?.id, response?.id]);
    expect(new Set(rows.map(({ updated_at }) => updated_at)).size).toBe(2);
    expect(await warehouse.rows('activities')).toEqual(activities);
  });

  it('can be deleted after the user was forgotten, by the hash, also what was done before signing in', async () => {
    await openDomain(api);
    await api.patch('/v3/edit/account', { anonymous_users: true, trust_pages: true });
    const uid = newUid();
    await visit(api, { uid });
    const anonymous = (await visit(api, {})).body;
    await api.post('/v3/observe/events', { visit_token: anonymous.visit.token, name: 'Before' }, { as: null });
    await exportNow();
    await visit(api, { uid, anonymous_uid: anonymous.profile.uid });
    await send(uid, 'After');
    const { profile } = (await api.get('/v3/analyze/profile', { query: `uid=${uid}` })).body;
    await exportNow();
    expect(await warehouse.rows('merges')).toMatchObject([
      { anonymous_profile_id: anonymous.profile.id, profile_id: profile.id },
    ]);
    await send('another', 'Stays');
    await api.send('DELETE', `/v3/edit/profiles/${profile.id}/forget`);
    await exportNow();
    for (const file of warehouse.files('deletions'))
      expect(readFileSync(join(warehouse.folder, file), 'latin1')).not.toContain(profile.id);
    expect(await namesOfOthers()).toEqual(['stays']);
  });

  it('can be deleted, too, if the user is forgotten before the sign-in was exported', async () => {
    await openDomain(api);
    await api.patch('/v3/edit/account', { anonymous_users: true, trust_pages: true });
    const uid = newUid();
    await visit(api, { uid });
    const anonymous = (await visit(api, {})).body;
    await api.post('/v3/observe/events', { visit_token: anonymous.visit.token, name: 'Before' }, { as: null });
    await exportNow();
    const { profile } = (await visit(api, { uid, anonymous_uid: anonymous.profile.uid })).body;
    await api.send('DELETE', `/v3/edit/profiles/${profile.id}/forget`);
    await exportNow();
    expect(await namesOfOthers()).toEqual([]);
  });

  it('lists who is a test user now, whenever that changes', async () => {
    const uid = newUid();
    await send(uid, 'Opened');
    const { profile } = (await api.get('/v3/analyze/profile', { query: `uid=${uid}` })).body;
    const listed = async () => (await warehouse.rows('test_users')).map(({ profile_id }) => profile_id);
    for (const test of [true, false, true]) {
      await api.patch(`/v3/edit/profiles/${profile.id}`, { test });
      await exportNow();
      expect(await listed()).toEqual(test ? [profile.id] : []);
    }
    expect(await names()).toEqual(['opened']);
  });
});

/** The Event Names of users who were not forgotten, by the rule of docs/export.md. */
async function namesOfOthers(): Promise<unknown[]> {
  const hashes = new Set((await warehouse.rows('deletions')).map(({ profile_hash }) => profile_hash));
  const isForgotten = (row: Record<string, unknown>) =>
    hashes.has(createHash('sha256').update(`${row.account_id} ${row.profile_id}`).digest('hex'));
  const merged = (await warehouse.rows('merges')).filter(isForgotten).map((row) => row.anonymous_profile_id);
  const events = await warehouse.rows('events');
  return events.filter((row) => !isForgotten(row) && !merged.includes(row.profile_id)).map(({ name }) => name);
}

describe('usher export', () => {
  it('exports to a bucket, lists the files, and says what is wrong with the settings', async () => {
    const s3 = await startS3();
    const env = { ...s3.keys, USHER_EXPORT_TO: `s3://${BUCKET}/warehouse` };
    await send(newUid(), 'Opened');
    const printed = JSON.parse(await usher(env, 'export', '--json'));
    expect(printed).toMatchObject({ rows: 1, to: `s3://${BUCKET}/warehouse` });
    const listed: { file: string; rows: number }[] = JSON.parse(await usher(env, 'export', 'list', '--json'));
    const [file] = listed.filter(({ rows }) => rows === 1);
    expect([...s3.objects.keys()]).toContain(`warehouse/${file?.file}`);
    await s3.stop();
    expect(await usher({ USHER_EXPORT_TO: '' }, 'export')).toContain('USHER_EXPORT_TO is not set here');
    expect(await usher({ USHER_EXPORT_FORMAT: 'xls' }, 'export')).toContain('must be one of parquet, csv');
    expect(await usher({ USHER_EXPORT_TO: '', USHER_EXPORT_ROWS: '5' }, 'export')).toContain('need USHER_EXPORT_TO');
  });
});

it('every table has columns with different names and a description', () => {
  for (const { columns, name } of exportTables) {
    expect(new Set(columns.map((column) => column.name)).size, name).toBe(columns.length);
    for (const { description } of columns) expect(description).not.toBe('');
  }
});
