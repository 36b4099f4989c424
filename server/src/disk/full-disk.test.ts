import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillUntil } from '../../../reliability/disk/fill-until.mjs';
import { accountRows } from '../../test/account-rows.ts';
import { type Api, startApi } from '../../test/api.ts';
import { engine } from '../../test/engine.ts';
import { openDomain, visit } from '../../test/visiting.ts';

const MEGABYTE = 1_000_000;
const folder = mkdtempSync(join(tmpdir(), 'usher-disk-'));
const mounted =
  engine === 'sqlite' && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder]).status === 0;
const filler = join(folder, 'filler');

describe.runIf(engine === 'sqlite')('a disk that fills up', () => {
  let api: Api;
  /** A server on the same file that does not look at the disk, so that SQLite itself fails. */
  let careless: Api;
  let tourId: string;
  const stored: string[] = [];

  beforeAll(async () => {
    if (!mounted) return;
    api = await startApi({ inTest: false, env: { USHER_DATA: folder, USHER_MIN_FREE_DISK: '20' } });
    careless = await startApi({ inTest: false, beside: api, env: { USHER_DATA: folder, USHER_MIN_FREE_DISK: '0' } });
    await openDomain(api);
    const tour = { name: 'Hi', steps: [{ title: 'Hi' }], published_at: '$now' };
    tourId = (await api.post('/v3/edit/tours', tour)).body.tour.id;
    await visit(api, { uid: 'known' });
  });
  afterAll(async () => {
    await careless?.stop();
    await api?.stop();
    if (mounted) spawnSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  });

  const write = async (on: Api, host: string) => {
    const { status, body } = await on.post('/v3/edit/urls', { host, enabled: 'on' });
    if (status === 201) stored.push(host);
    else expect(body.messages[0]).toMatch(/^The disk of the server is nearly full/);
    return status;
  };
  const hosts = async () =>
    (await api.get('/v3/edit/urls')).body.urls
      .map(({ host }: { host: string }) => host)
      .filter((one: string) => /^w/.test(one));
  const load = async (uid: string, params: object = {}) => (await visit(api, { uid, ...params })).body;
  const countUsers = async () => (await accountRows(api.app, api.account.account_id)).profiles?.length;

  it.skipIf(!mounted)(
    'rejects what grows the data below the limit, while pages, reading and deleting go on',
    async () => {
      expect(await write(api, 'w1.example.com')).toBe(201);
      fillUntil(filler, folder, 15 * MEGABYTE);
      await api.app.disk.check();
      expect(api.app.disk.isNearlyFull).toBe(true);
      expect(api.app.disk.isFull).toBe(false);
      const { attention } = (await api.get('/v3/analyze/attention')).body;
      expect(attention).toMatchObject([{ type: 'disk_nearly_full', severity: 'error', target: { type: 'server' } }]);

      expect(await write(api, 'w2.example.com')).toBe(507);
      const batch = { profiles: [{ uid: 'batched' }] };
      expect((await api.post('/v3/observe/hooks/profiles/batch', batch)).status).toBe(507);
      expect((await api.patch(`/v3/edit/tours/${tourId}`, { name: 'Other' })).status).toBe(507);
      expect((await api.get(`/v3/edit/tours/${tourId}`)).body.tour.name).toBe('Hi');
      expect(
        (await api.post('/v3/session', { email: 'no@acme.test', password: 'wrong password' }, { as: null })).status,
      ).toBe(403);

      const before = (await load('known')).profile.last_seen_at;
      const known = await load('known', { properties: { plan: 'pro' } });
      expect(known.experiences).toHaveLength(1);
      expect(Date.parse(known.profile.last_seen_at)).toBeGreaterThanOrEqual(Date.parse(before));
      const unknown = await load('new');
      expect([unknown.profile.last_seen_at, unknown.experiences]).toEqual([null, []]);
      expect(await countUsers()).toBe(1);
      const { token } = known.visit;
      const event = await api.post('/v3/observe/events', { visit_token: token, name: 'Seen' }, { as: null });
      expect(event.body).toEqual({ event: null });
      const report = { visit_token: token, experience_id: tourId, state: 'started' };
      expect((await api.post('/v3/observe/interactions', report, { as: null })).status).toBe(507);

      expect((await fetch(`${api.url}/readyz`)).status).toBe(200);
      const { health } = (await api.get('/v3/analyze/health')).body;
      expect(health.checks).toContainEqual(expect.objectContaining({ name: 'disk', state: 'problem' }));
      const tag = await api.post('/v3/edit/tags', { name: 'No' });
      expect(tag.status).toBe(507);
      expect((await api.send('DELETE', `/v3/edit/tours/${tourId}`)).status).toBe(200);
    },
  );

  it.skipIf(!mounted)(
    'answers page loads without storing them when nothing is left, and 507 where SQLite fails',
    async () => {
      fillUntil(filler, folder, 0);
      await api.app.disk.check();
      expect(api.app.disk.isFull).toBe(true);
      expect((await load('known')).profile.uid).toBe('known');
      expect((await load('other')).profile.last_seen_at).toBe(null);

      const statuses = [];
      // The log of SQLite has room of its own until it is used up.
      for (let n = 0; n < 200 && statuses.at(-1) !== 507; n++)
        statuses.push(await write(careless, `w${n}.full.example.com`));
      expect(statuses.at(-1)).toBe(507);
      expect(careless.app.disk.isFull).toBe(true);
      expect((await visit(careless, { uid: 'known' })).body.profile.uid).toBe('known');
      expect((await fetch(`${api.url}/readyz`)).status).toBe(200);
    },
  );

  it.skipIf(!mounted)('stores again automatically when there is space, and has lost nothing', async () => {
    rmSync(filler);
    await api.app.disk.check();
    expect(api.app.disk.isNearlyFull).toBe(false);
    expect((await api.get('/v3/analyze/attention')).body.attention).toEqual([]);
    expect(await write(api, 'w3.example.com')).toBe(201);
    await load('new');
    expect(await countUsers()).toBe(2);
    expect((await hosts()).sort()).toEqual([...stored].sort());
    const file = new Database(join(folder, 'usher.db'));
    expect(file.prepare('pragma integrity_check').get([])).toMatchObject({ integrity_check: 'ok' });
    file.close();
  });
});
