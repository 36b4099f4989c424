import { expect, it, onTestFinished } from 'vitest';
import { createTestDatabase, engine } from '../../../test/engine.ts';
import { createLog } from '../../log.ts';
import { openAppContext } from '../../serve.ts';
import { readSettings } from '../../settings.ts';
import { openStorage } from '../open-storage.ts';
import { WriterPriority } from './writer-priority.ts';

it('the second has its turn, although the first never stops', () => {
  const first = new WriterPriority();
  const second = new WriterPriority(first.shared);
  first.enter();
  second.enter();
  expect(first.secondWrote()).toBe(true);
});

it('tells the first, once, that the second wrote', () => {
  const first = new WriterPriority();
  const second = new WriterPriority(first.shared);
  first.enter();
  first.leave();
  expect([first.secondWrote(), second.secondWrote()]).toEqual([false, false]);
  second.enter();
  second.leave();
  expect([second.secondWrote(), first.secondWrote(), first.secondWrote()]).toEqual([false, true, false]);
});

it.each(['holds the lock for ever', 'has let go of the lock'])('the first goes on when the second %s', async (what) => {
  const first = new WriterPriority();
  const second = new WriterPriority(first.shared);
  second.enter();
  const waiting = first.wait();
  if (what.startsWith('has')) second.leave();
  await waiting;
  await first.wait();
});

it.runIf(engine === 'sqlite')('two who write at once lose nothing', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.remove());
  const log = createLog('silent');
  const { storage: first } = await openAppContext(readSettings(database.env), log);
  const second = openStorage(first.address, log);
  onTestFinished(async () => {
    await second.close();
    await first.close();
  });
  const ids = Array.from({ length: 40 }, (_, at) => `a${at}`);
  await Promise.all(
    ids.map((id, at) =>
      (at % 2 ? first : second).write(null, (db) =>
        db.insertInto('accounts').values({ id, name: 'Acme', token: id, updated_at: 1 }).execute(),
      ),
    ),
  );
  const rows = await first.reader(null).selectFrom('accounts').select('id').execute();
  expect(rows.map(({ id }) => id).sort()).toEqual(ids.sort());
});
