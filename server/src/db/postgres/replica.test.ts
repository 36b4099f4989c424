import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Postgres, startPostgres } from '../../../../scripts/postgres.mjs';
import { type Api, startApi } from '../../../test/api.ts';
import { engine } from '../../../test/engine.ts';
import { runDoctor } from '../../cli/doctor-command.ts';
import { createLog } from '../../log/log.ts';
import type { Storage } from '../storage.ts';
import { openPostgres } from './open-postgres.ts';

const untilItHappens = { timeout: 20_000, interval: 20 };
const pools = { main: 3, heavy: 2, batches: 1 };

describe.runIf(engine === 'postgres')('a replica of PostgreSQL', () => {
  let primary: Postgres;
  let replica: Postgres;
  beforeAll(async () => {
    primary = await startPostgres();
    replica = await startPostgres({ replicaOf: primary.url });
  }, 60_000);
  afterAll(async () => {
    await replica?.stop();
    await primary?.stop();
  });

  async function open(): Promise<Storage> {
    const storage = openPostgres(primary.url, createLog('silent'), {
      pools,
      replicaUrl: replica.url,
      replicaLimits: { maxAgeMs: 1000, intervalMs: 50 },
    });
    onTestFinished(() => storage.close());
    return storage;
  }

  /** Reads what may be old. Returns whether the replica was read, and the noted age. */
  async function read(storage: Storage): Promise<{ fromReplica: boolean; ageMs: number | undefined }> {
    let ageMs: number | undefined;
    const noteAge = (age: number) => {
      ageMs = age;
    };
    const query = sql<{ in_recovery: boolean }>`select pg_is_in_recovery() as in_recovery`;
    const { rows } = await query.execute(storage.heavyReader(null, { noteAge }));
    return { fromReplica: rows[0]?.in_recovery ?? false, ageMs };
  }
  const untilUsed = (storage: Storage, isUsed: boolean) =>
    vi.waitFor(async () => expect((await read(storage)).fromReplica).toBe(isUsed), untilItHappens);
  const onReplica = async (text: string) => {
    const direct = openPostgres(replica.url, createLog('silent'), { pools });
    await sql.raw(text).execute(direct.reader(null));
    await direct.close();
  };

  it('is read by what may be old, with the age of its data, and by nothing else', async () => {
    const storage = await open();
    await untilUsed(storage, true);
    const { ageMs } = await read(storage);
    expect(ageMs).toBeGreaterThan(0);
    expect(ageMs).toBeLessThan(1000);
    const query = sql<{ in_recovery: boolean }>`select pg_is_in_recovery() as in_recovery`;
    expect((await query.execute(storage.heavyReader(null))).rows).toEqual([{ in_recovery: false }]);
    expect((await query.execute(storage.heavyReader(null, {}))).rows).toEqual([{ in_recovery: false }]);
  });

  it('is not read while it is too far behind', async () => {
    const storage = await open();
    await untilUsed(storage, true);
    await onReplica('select pg_wal_replay_pause()');
    onTestFinished(() => onReplica('select pg_wal_replay_resume()'));
    // Nothing was written, so nothing is missing: only what is written now is.
    await storage.write(null, (db) => sql`create table if not exists later (id integer)`.execute(db));
    await untilUsed(storage, false);
    expect((await read(storage)).ageMs).toBeUndefined();
    await onReplica('select pg_wal_replay_resume()');
    await untilUsed(storage, true);
  });

  it('is not read while it is down, and no read fails', async () => {
    const storage = await open();
    await untilUsed(storage, true);
    await replica.halt('SIGQUIT');
    expect((await read(storage)).fromReplica).toBe(false);
    await untilUsed(storage, false);
    await replica.resume();
    await untilUsed(storage, true);
  });

  it('is read again by the primary if it does not have a table yet', async () => {
    const storage = await open();
    await untilUsed(storage, true);
    await onReplica('select pg_wal_replay_pause()');
    onTestFinished(() => onReplica('select pg_wal_replay_resume()'));
    await storage.write(null, (db) => sql`create table newest (id integer)`.execute(db));
    const { rows } = await sql`select count(*) as count from newest`.execute(
      storage.heavyReader(null, { noteAge: () => {} }),
    );
    expect(rows).toEqual([{ count: 0 }]);
  });

  describe('over HTTP', () => {
    let api: Api;
    beforeAll(async () => {
      const env = { DATABASE_URL: primary.url, USHER_DATABASE_REPLICA_URL: replica.url };
      api = await startApi({ inTest: false, env });
    }, 60_000);
    afterAll(() => api?.stop());
    const ageOf = async (path: string) => (await api.get(path)).headers.get('usher-data-age');

    it('says in results how old they are', async () => {
      const { id } = (await api.post('/v3/edit/surveys', { name: 'Survey', steps: [{ title: 'Hi' }] })).body.survey;
      // The age is 0 at the moment when the replica has everything.
      for (const path of [`/v3/analyze/surveys/${id}/stats`, `/v3/analyze/responses.csv?id=${id}`])
        await vi.waitFor(async () => expect(Number(await ageOf(path))).toBeGreaterThan(0), untilItHappens);
      expect(await ageOf(`/v3/edit/surveys/${id}/uses`)).toBeNull();
      expect(await ageOf('/v3/edit/experiences')).toBeNull();
    });

    it('is judged by the doctor', async () => {
      const messages = async (url: string) => {
        let text = '';
        const env = { ...api.database.env, DATABASE_URL: primary.url, USHER_DATABASE_REPLICA_URL: url };
        await runDoctor(env, true, {
          print: (line) => {
            text += line;
          },
        });
        return JSON.parse(text).checks.flatMap(({ name, message }: { name: string; message: string }) =>
          name === 'storage' ? [message] : [],
        );
      };
      expect(await messages(replica.url)).toContain('The replica of the database has what was just written.');
      expect((await messages(primary.url)).join()).toMatch(/its replica cannot be used \(it is no standby\)/);
    });
  });
});
