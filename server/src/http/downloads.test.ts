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
function download({ account_secret } = api.account, path = '/v3/analyze/audit_entries.json'): Socket {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1').pause();
  onTestFinished(() => void socket.destroy());
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Account-Secret: ${account_secret}\r\n\r\n`);
  return socket;
}

/** Creates a survey with so many Responses, and returns the path of their file. Each is on a page with a long address. */
async function addResponses(count: number): Promise<string> {
  const { account_id } = api.account;
  const steps = [{ title: 'Why?', preset: 'survey_input' }];
  const { survey } = (await api.post('/v3/edit/surveys', { name: 'Asks', steps })).body;
  const { profile } = (await api.post('/v3/observe/hooks/profiles', { uid: 'ann' })).body;
  const href = `https://app.example.com/${'x'.repeat(100_000)}`;
  const common = { account_id, experience_id: survey.id, profile_id: profile.id, href, finished_at: null };
  for (let added = 0; added < count; added += 20) {
    const rows = Array.from({ length: 20 }, (_, n) => {
      const updated_at = api.app.now();
      return { ...common, id: api.app.newId(), updated_at, updated_tick: updated_at * 1024, showing_from: added + n };
    });
    await api.app.storage.write(account_id, (db) => db.insertInto('responses').values(rows).execute());
  }
  return `/v3/analyze/responses.csv?id=${survey.id}`;
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

it('gives the place of a CSV file of Responses back when the client leaves in the middle of it', async () => {
  const path = await addResponses(ENTRIES / 2);
  const socket = download(api.account, path);
  expect(await readStatus(socket)).toBe('200');
  // The file does not fit into the buffers, so the server waits for the client.
  await counts(1, 0);
  socket.destroy();
  await counts(0, 0);

  const { text } = await api.get(path);
  expect(text.trimEnd().split('\r\n')).toHaveLength(1 + ENTRIES / 2);
  await counts(0, 0);
});

it('rejects a download when too many wait', async () => {
  for (let count = 0; count < 24; count++) download();
  await counts(4, 20);
  expect(await readStatus(download())).toBe('429');
});
