import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startApi } from './api.ts';
import { usher } from './run-process.ts';
import { openWarehouse } from './warehouse.ts';

const EVENTS = 12_000;
const USERS = 300;
/** Some kills at times, some when the folder shows that a file has just appeared or is being written. */
const KILLS = 10;

it('an export that is killed again and again has each row exactly once in the end, with rows and users coming and going', async () => {
  const api = await startApi();
  const warehouse = openWarehouse();
  const send = async (from: number, until: number) => {
    const events = Array.from({ length: until - from }, (_, at) => ({
      uid: `user-${(from + at) % USERS}`,
      name: 'Done',
      number: from + at,
    }));
    expect((await api.post('/v3/observe/hooks/events/batch', { events })).status).toBe(202);
  };
  await send(0, EVENTS);
  const env = { ...api.database.env, USHER_EXPORT_TO: warehouse.folder, USHER_EXPORT_ROWS: '900' };
  // What an export that was killed has claimed can be claimed again after ten minutes.
  const release = () =>
    api.app.storage.write(null, (db) => db.deleteFrom('installation').where('name', '=', 'scheduled_export').execute());
  const parts = () =>
    existsSync(warehouse.folder) ? readdirSync(warehouse.folder).filter((name) => name.endsWith('.part')).length : 0;
  let sent = EVENTS;
  let killed = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const running = usher(['export'], env);
    const files = warehouse.files('events').length;
    const isTime = [
      () => warehouse.files('events').length > files,
      () => warehouse.files('events').length > files + 1,
      () => parts() > 0,
    ][kill % 3] as () => boolean;
    let hasEnded = false;
    void running.ended.then(() => {
      hasEnded = true;
    });
    while (!isTime() && !hasEnded) await pause(1);
    await pause(kill * 7);
    if (!hasEnded) killed += 1;
    running.child.kill('SIGKILL');
    await running.ended;
    await release();
    await send(sent, sent + 200);
    sent += 200;
  }
  expect(killed).toBeGreaterThan(KILLS / 2);
  const last = usher(['export'], env);
  expect([await last.ended, last.err()]).toEqual([0, '']);
  const rows = await warehouse.rows('events');
  const numbers = rows.map(({ properties }) => (properties as { number: number }).number);
  expect([rows.length, new Set(rows.map(({ id }) => id)).size, new Set(numbers).size]).toEqual([sent, sent, sent]);
}, 400_000);
