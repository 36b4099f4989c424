import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { engine } from '../../../../test/engine.ts';
import { addSignedIn } from '../../../../test/sign-in.ts';
import { version } from '../../../settings/version.ts';
import { checkHealth } from './check-health.ts';

let api: Api;
const clock = { now: Date.now() };
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => clock.now, env: { USHER_EVENTS_DAYS: '40' } });
});
afterAll(() => api.stop());

const show = async () => (await api.get('/v3/analyze/health')).body.health;
const stateOf = (health: { checks: { name: string; state: string }[] }, name: string) =>
  health.checks.find((check) => check.name === name)?.state;

describe('health', () => {
  it('shows versions, sizes and queues, and that all is good but the missing backup', async () => {
    // The start of the server took a while, so the clock is set again.
    clock.now = Date.now();
    const health = await show();
    // Other tests use the disk and the database server at the same time.
    const shared = ['disk', 'connections', ...(Number.parseInt(process.versions.node, 10) < 22 ? ['node'] : [])];
    for (const { name, state } of health.checks)
      if (!shared.includes(name)) expect([name, state]).toEqual([name, name === 'backups' ? 'attention' : 'good']);
    expect(health).toMatchObject({
      version,
      node_version: process.versions.node,
      engine,
      engine_version: expect.stringMatching(/^\d+\.\d/),
      schema_version: expect.stringMatching(/^\d{4}/),
      webhook_items: { due: 0, waiting: 0, oldest_due_at: null },
      batches: { running: 0, waiting: 0 },
      last_sweep_at: null,
      events_days: 40,
      sending_paused: null,
      backups: { is_scheduled: false, last_at: null, last_bytes: null, failed_at: null },
      exports: { is_scheduled: false, last_at: null, last_rows: null, failed_at: null, progress: null },
    });
    expect(health.database_bytes).toBeGreaterThan(10_000);
    if (engine === 'sqlite') {
      expect(health.free_disk_bytes).toBeGreaterThan(0);
      expect(health.connections).toBe(null);
    } else {
      expect(health.free_disk_bytes).toBe(null);
      expect(health.connections.open).toBeGreaterThan(0);
      expect(health.connections.max).toBeGreaterThan(health.connections.open);
    }
    for (const { message } of health.checks) expect(message).toMatch(/^[A-Z].*\.$/);
  });

  it('names no file and no address', async () => {
    const { text } = await api.get('/v3/analyze/health');
    expect(text).not.toMatch(/postgres(ql)?:\/\/|usher\.db|\/tmp|127\.0\.0\.1/);
  });

  it('counts requests through a proxy that is not trusted', async () => {
    expect(stateOf(await show(), 'proxy')).toBe('good');
    await api.get('/v3/edit/urls', { headers: { 'X-Forwarded-For': '203.0.113.7' } });
    const health = await show();
    expect(health.untrusted_proxies).toEqual([{ network: '127.0.0.1', requests: 1 }]);
    expect(stateOf(health, 'proxy')).toBe('attention');
  });

  it('checks the public URL and the file only on request, and remembers what it found', async () => {
    expect(await show()).toMatchObject({ slow_checks_at: null });
    expect(stateOf(await show(), 'reachable')).toBe(undefined);
    const { body } = await api.get('/v3/analyze/health', { query: 'full=true' });
    // Nothing of this installation listens at the default URL.
    expect(stateOf(body.health, 'reachable')).not.toBe('good');
    expect(stateOf(body.health, 'integrity')).toBe(engine === 'sqlite' ? 'good' : undefined);
    const later = await show();
    expect(Date.parse(later.slow_checks_at)).toBe(clock.now);
    expect(stateOf(later, 'reachable')).toBe(stateOf(body.health, 'reachable'));
  });

  it('is for owners', async () => {
    for (const role of ['editor', 'translator', 'viewer'] as const) {
      const { browser } = await addSignedIn(api, role);
      expect((await browser.get('/v3/analyze/health')).status).toBe(403);
    }
  });

  it('needs attention while items of webhooks are late', async () => {
    const { body } = await api.post('/v3/edit/webhooks', { url: 'https://example.com/late', topics: ['ping'] });
    await api.post(`/v3/edit/webhooks/${body.webhook.id}/ping`, {});
    const health = await show();
    expect(health.webhook_items).toMatchObject({ due: 1, oldest_due_at: expect.any(String) });
    expect(stateOf(health, 'webhooks')).toBe('good');
    clock.now += 6 * 60_000;
    expect(stateOf(await show(), 'webhooks')).toBe('attention');
    await api.send('DELETE', `/v3/edit/webhooks/${body.webhook.id}`);
    expect(stateOf(await show(), 'webhooks')).toBe('good');
  });

  it('needs attention when old records were not removed for two hours', async () => {
    clock.now += 3 * 60 * 60_000;
    expect(stateOf(await show(), 'sweep')).toBe('attention');
    api.app.activity.lastSweepAt = clock.now - 60_000;
    const health = await show();
    expect(stateOf(health, 'sweep')).toBe('good');
    expect(Date.parse(health.last_sweep_at)).toBe(clock.now - 60_000);
  });

  it('needs attention when a newer version has changed the schema', async () => {
    await api.app.storage.write(null, (db) => db.insertInto('migrations').values({ name: '9999-later' }).execute());
    expect(await show()).toMatchObject({ state: 'attention', schema_version: '9999-later' });
  });
});

describe('checkHealth', () => {
  const now = Date.UTC(2029, 0, 1);
  const values = {
    version: '1.0.0',
    node_version: '24.0.0',
    started_at: new Date(now).toISOString(),
    engine: 'sqlite' as const,
    engine_version: '3.50.0',
    schema_version: '0018',
    database_bytes: 1e9,
    free_disk_bytes: 1e11 as number | null,
    connections: null as { open: number; max: number } | null,
    webhook_items: { due: 0, waiting: 0, oldest_due_at: null },
    batches: { running: 0, waiting: 0 },
    last_sweep_at: null,
    events_days: 365,
    sending_paused: null,
    backups: { is_scheduled: true, last_at: new Date(now).toISOString(), last_bytes: 1, failed_at: null },
    exports: {
      is_scheduled: true,
      last_at: new Date(now).toISOString(),
      last_rows: 1,
      failed_at: null,
      progress: null,
    },
    untrusted_proxies: [],
    slow_checks_at: null,
  };
  const exported = values.exports;
  const noBackup = { last_at: null, last_bytes: null, failed_at: null };
  const attention = (changed: object) =>
    checkHealth({ ...values, ...changed }, { now, hasNewerSchema: false, exportIntervalMs: 86_400_000 })
      .filter(({ state }) => state === 'attention')
      .map(({ name }) => name);

  it.each([
    [{}, []],
    [{ free_disk_bytes: 5e8 }, ['disk']],
    [{ database_bytes: 4e10, free_disk_bytes: 2e9 }, ['disk']],
    [{ database_bytes: 6e10 }, ['database']],
    [{ engine: 'postgres', engine_version: '14.9 (Debian)', free_disk_bytes: null }, ['engine']],
    [{ engine: 'postgres', engine_version: '17.2', free_disk_bytes: null, database_bytes: 6e11 }, []],
    [{ connections: { open: 90, max: 100 } }, ['connections']],
    [{ connections: { open: 20, max: 100 } }, []],
    [{ batches: { running: 8, waiting: 30 } }, ['batches']],
    [{ sending_paused: { reason: 'restored', paused_at: new Date(now).toISOString() } }, ['webhooks', 'exports']],
    [
      { backups: { is_scheduled: true, last_at: null, last_bytes: null, failed_at: new Date(now).toISOString() } },
      ['backups'],
    ],
    [{ backups: { is_scheduled: false, ...noBackup } }, ['backups']],
    [{ backups: { is_scheduled: true, ...noBackup } }, []],
    [{ exports: { ...exported, is_scheduled: false, last_at: null } }, []],
    [{ exports: { ...exported, failed_at: new Date(now).toISOString() } }, ['exports']],
    [{ exports: { ...exported, last_at: new Date(now - 3 * 86_400_000).toISOString() } }, ['exports']],
    [
      { backups: { is_scheduled: true, ...noBackup }, started_at: new Date(now - 3_600_000).toISOString() },
      ['backups'],
    ],
  ])('finds what needs attention in %j', (changed, names) => {
    expect(attention(changed)).toEqual(names);
  });
});
