import { firstIdAt, isId, TICKS_PER_MS, timeOfId } from '@usher/domain';
import { expect, it, onTestFinished } from 'vitest';
import { createTestDatabase } from '../../test/engine.ts';
import type { AppContext } from '../context.ts';
import { createLog } from '../log/log.ts';
import { openAppContext } from '../serve.ts';
import { readSettings } from '../settings/settings.ts';
import { type AccountClock, takeClock } from './account-clock.ts';
import { migrations } from './migrations/index.ts';
import type { Migration, MigrationStep } from './migrations/migration.ts';
import { renamedTables } from './migrations/renamed-tables.ts';

async function start(nodes = 1): Promise<[AppContext, ...AppContext[]]> {
  const database = await createTestDatabase();
  onTestFinished(() => database.remove());
  const opened: AppContext[] = [];
  for (let n = 0; n < nodes; n++) {
    const app = await openAppContext(readSettings(database.env), createLog('silent'));
    onTestFinished(() => app.storage.close());
    opened.push(app);
  }
  return opened as [AppContext, ...AppContext[]];
}

const take = ({ storage }: AppContext, time: number): Promise<AccountClock> =>
  storage.write('acme', (db) => takeClock(storage, db, 'acme', time));

it('returns the current time, or the last tick + 1 if the time has not moved on', async () => {
  const [app] = await start();
  const taken: number[] = [];
  for (const time of [5000, 5000, 3000, 5001, 5000]) taken.push((await take(app, time)).tick);
  const second = 5001 * TICKS_PER_MS;
  expect(taken).toEqual([5000 * TICKS_PER_MS, 5000 * TICKS_PER_MS + 1, 5000 * TICKS_PER_MS + 2, second, second + 1]);
});

it('goes on from a time that was far ahead, with the real time for everything but the ID', async () => {
  const [app] = await start();
  const DAY = 86_400_000;
  const ahead = await take(app, 9000 + DAY);
  const [one, other] = [await take(app, 9000), await take(app, 10_000)];
  expect([ahead.at, one.at, other.at]).toEqual([9000 + DAY, 9000, 10_000]);
  const rows = [ahead, one, other].map(({ newRow }) => newRow());
  expect(rows.map(({ updated_at }) => updated_at)).toEqual([9000 + DAY, 9000, 10_000]);
  expect(rows.map(({ id }) => id).sort()).toEqual(rows.map(({ id }) => id));
});

it('gives no tick twice to nodes that take it at the same time, even if there was no clock yet', async () => {
  const nodes = await start(3);
  const taken = await Promise.all(
    Array.from({ length: 60 }, (_, n) => take(nodes[n % 3] as AppContext, 9000 - (n % 3))),
  );
  expect(new Set(taken.map(({ tick }) => tick)).size).toBe(60);
});

it('gives the rows of one transaction increasing IDs with the time of its tick', async () => {
  const [app] = await start();
  await take(app, 9000);
  const { newRow, at } = await take(app, 7000);
  const rows = [newRow(), newRow(), newRow()];
  const ids = rows.map(({ id }) => id);
  expect(ids.every(isId)).toBe(true);
  expect(ids).toEqual([...new Set(ids)].sort());
  for (const row of rows) expect(row).toEqual({ account_id: 'acme', id: row.id, updated_at: timeOfId(row.id) });
  expect(at).toBe(9000);
});

it('starts after all records that an account had before there were clocks', async () => {
  const [app] = await start();
  const { storage, now } = app;
  const last = firstIdAt(now() + 86_400_000).replace(/.{13}$/, 'f'.repeat(13));
  await storage.write('acme', async (db) => {
    const tag = { account_id: 'acme', updated_at: 1, name: 'Tag' };
    const rows = [last, firstIdAt(1)].map((id) => ({ ...tag, id, uid: id }));
    await db.insertInto('tags').values(rows).execute();
  });
  const whole = migrations['0011-clocks'] as Migration;
  const onCurrentTables = (step: MigrationStep) =>
    Object.entries(renamedTables).reduce((sql, [old, current]) => sql.replace(old, current), String(step));
  migrations['0011-clocks'] = (types) =>
    whole(types)
      .filter((step) => String(step).startsWith('insert'))
      .map(onCurrentTables);
  onTestFinished(() => {
    migrations['0011-clocks'] = whole;
  });
  await storage.write(null, (db) => db.deleteFrom('migrations').where('name', '=', '0011-clocks').execute());
  await storage.migrate();
  const { newRow } = await take(app, now());
  expect(newRow().id > last).toBe(true);
});
