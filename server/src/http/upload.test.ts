import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Api, startApi } from '../../test/api.ts';
import { sweepUploads } from './upload.ts';

const PATH = '/v3/edit/i18n';
const REST = 'x'.repeat(400_000);
let folder: string;
let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

/** Each test has its own folder for uploads, so that it sees all of them. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'usher-test-'));
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
});

/** Sends the headers of an upload, and the beginning of a file. */
function begin(secret: string): Socket {
  const { hostname, port } = new URL(api.url);
  const part = 'Content-Disposition: form-data; name="file"; filename="a.json"';
  const beginning = `--x\r\n${part}\r\n\r\n${'x'.repeat(100_000)}`;
  const head = [
    `POST ${PATH} HTTP/1.1`,
    'Host: usher',
    ...(secret === '' ? [] : [`X-Account-Secret: ${secret}`]),
    'Content-Type: multipart/form-data; boundary=x',
    `Content-Length: ${beginning.length + REST.length}`,
  ];
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.write(`${head.join('\r\n')}\r\n\r\n${beginning}`);
  return socket;
}

/** Checks the condition after each response of the server, until it holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await fetch(`${api.url}/healthz`);
}

/** The files below the folder that this process has open. */
function openFiles(): string[] {
  return readdirSync('/proc/self/fd')
    .map((name) => {
      try {
        return readlinkSync(`/proc/self/fd/${name}`);
      } catch {
        return '';
      }
    })
    .filter((target) => target.startsWith(folder));
}

const filesIn = (parent: string) => readdirSync(parent, { recursive: true }) as string[];

function formOf(fields: Record<string, string>, file = '{}'): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([file]), 'a.json');
  return form;
}

describe('an upload', () => {
  it.runIf(process.platform === 'linux')('leaves no file and no open descriptor after an aborted upload', async () => {
    const sockets = [1, 2, 3].map(() => begin(api.account.account_secret));
    await until(() => openFiles().length === 3);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o700);
    for (const socket of sockets) socket.destroy();
    await until(() => openFiles().length === 0 && readdirSync(folder).length === 0);
    expect((await api.post(PATH, formOf({}))).status).toBe(422);
  });

  it.each(['', 'wrong'])('writes nothing to disk with the secret %j', async (secret) => {
    const socket = begin(secret);
    let received = '';
    socket.on('data', (data) => {
      received += data;
    });
    for (let n = 0; n < 20; n++) {
      await fetch(`${api.url}/healthz`);
      expect(filesIn(folder)).toEqual([]);
    }
    socket.write(REST);
    await until(() => received !== '');
    expect(received).toMatch(secret === '' ? /^HTTP\/1\.1 422 / : /^HTTP\/1\.1 403 /);
    expect(filesIn(folder)).toEqual([]);
  });

  it('accepts the secret in a field of a small upload', async () => {
    const { account_secret } = api.account;
    const send = (fields: Record<string, string>, file?: string) => api.post(PATH, formOf(fields, file), { as: null });
    const problem = (await api.post(PATH, formOf({}))).body;
    expect((await send({ account_secret })).body).toEqual(problem);
    expect((await send({})).status).toBe(403);
    expect((await send({ account_secret: 'wrong' })).status).toBe(403);
    const large = await send({ account_secret }, 'x'.repeat(1024 * 1024));
    expect([large.status, large.body.messages]).toEqual([
      413,
      ['The body is larger than 1 MB: give the account secret in the header `X-Account-Secret` then'],
    ]);
    expect(filesIn(folder)).toEqual([]);
  });

  it('returns 503 if the file cannot be written, and accepts the next upload', async () => {
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    let received = '';
    socket.on('data', (data) => {
      received += data;
    });
    const head = `POST ${PATH} HTTP/1.1\r\nHost: usher\r\nX-Account-Secret: ${api.account.account_secret}\r\n`;
    socket.write(`${head}Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000000\r\n\r\n`);
    await until(() => readdirSync(folder).length === 1);
    rmSync(join(folder, readdirSync(folder)[0] as string), { recursive: true });
    socket.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n');
    socket.write('x'.repeat(300_000));
    await until(() => received !== '');
    expect(received).toMatch(/^HTTP\/1\.1 503 /);
    expect((await api.post(PATH, formOf({}))).status).toBe(422);
  });
});

describe('sweeping uploads', () => {
  it('removes the folders that a killed server left an hour ago, and nothing else', async () => {
    const names = ['usher-upload-aB3dEf', 'usher-upload-young1', 'usher-upload-other-one', 'another-upload-aB3dEf'];
    const longAgo = new Date(Date.now() - 61 * 60_000);
    for (const name of names) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, '0'), 'text');
      if (name !== 'usher-upload-young1') utimesSync(join(folder, name), longAgo, longAgo);
    }
    await sweepUploads();
    expect(readdirSync(folder).sort()).toEqual(names.slice(1).sort());
  });
});
