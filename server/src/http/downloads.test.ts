import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type Api, startApi } from '../../test/api.ts';

/** Together these entries are more than the kernel can buffer for a client that does not read. */
const ENTRIES = 320;
const DETAILS = JSON.stringify({ text: 'x'.repeat(100_000) });

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
  for (const { account_id } of [api.account, api.other])
    for (let count = 0; count < ENTRIES; count += 20) {
      const rows = Array.from({ length: 20 }, () => {
        const entry = { action: 'account.update' as const, details: DETAILS };
        return { account_id, id: api.app.newId(), ...entry };
      });
      await api.app.storage.write(account_id, (db) => db.insertInto('audit_entries').values(rows).execute());
    }
});
afterAll(() => api.stop());

/** Begins a download, and reads nothing of it. */
function download({ account_secret } = api.account): Socket {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1').pause();
  onTestFinished(() => void socket.destroy());
  socket.write(`GET /v3/analyze/audit_entries.json HTTP/1.1\r\nHost: x\r\nX-Account-Secret: ${account_secret}\r\n\r\n`);
  return socket;
}

async function readStatus(socket: Socket): Promise<string | undefined> {
  const [chunk] = await once(socket.resume(), 'data');
  socket.pause();
  return /^HTTP\/1.1 (\d+)/.exec(String(chunk))?.[1];
}

const counts = (running: number, waiting: number) =>
  expect.poll(() => api.app.downloads.count, { timeout: 10_000 }).toEqual({ running, waiting });

it('sends four downloads of an account at a time, and others when one of them has ended', async () => {
  const slow = Array.from({ length: 4 }, () => download());
  await counts(4, 0);
  const fifth = download();
  await counts(4, 1);
  expect(await readStatus(download(api.other))).toBe('200');
  await counts(5, 1);
  slow[0]?.destroy();
  expect(await readStatus(fifth)).toBe('200');
  await counts(5, 0);
});

it('gives the place back when the client has left, or the download is complete', async () => {
  for (let round = 0; round < 3; round++) {
    const left = Array.from({ length: 6 }, () => download());
    await counts(4, 2);
    for (const socket of left) socket.destroy();
    await counts(0, 0);
  }
  const { body } = await api.get('/v3/analyze/audit_entries.json');
  expect(body.audit_entries.length).toBeGreaterThanOrEqual(ENTRIES);
  await counts(0, 0);
});

it('rejects a download when too many wait', async () => {
  for (let count = 0; count < 24; count++) download();
  await counts(4, 20);
  expect(await readStatus(download())).toBe('429');
});
