import { mkdirSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beginRequest, within } from './sockets.mjs';

const BATCH = '/v3/observe/hooks/profiles/batch';
const UPLOAD = '/v3/edit/i18n';
const ABORTS = 230;
const MB = 1024 * 1024;
const multipart = { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Length': MB };
const startOfFile = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n${'x'.repeat(5000)}`;

/** Only the attacked server uses this folder: other servers on this machine may be receiving uploads too. */
const temporary = join(tmpdir(), `usher-attacked-${process.pid}`);
const uploadFolders = () => readdirSync(temporary).filter((name) => name.startsWith('usher-upload-'));

/** @param {number} pid */
function openUploads(pid) {
  return readdirSync(`/proc/${pid}/fd`).filter((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`).includes('usher-upload-');
    } catch {
      return false;
    }
  }).length;
}

/** @type {import('../figures/attacks.mjs').Attack} */
export const abortedUploads = {
  name: `${ABORTS} uploads that are aborted, without a secret and with one`,
  before: '230 aborts: 230 folders, 230 descriptors, before any secret is checked',
  engines: ['sqlite'],
  settings: { TMPDIR: temporary },
  async run(target) {
    mkdirSync(temporary, { recursive: true });
    let seen = 0;
    for (const headers of [multipart, { ...multipart, 'X-Account-Secret': target.secret }]) {
      for (let n = 0; n < ABORTS; n += 10) {
        const some = Array.from({ length: 10 }, () => beginRequest(target, UPLOAD, headers, startOfFile));
        const sockets = await Promise.all(some);
        if (headers === multipart) seen = Math.max(seen, uploadFolders().length);
        for (const socket of sockets) socket.destroy();
      }
    }
    const isClean = () => uploadFolders().length === 0 && openUploads(target.pid) === 0;
    await within(5000, isClean);
    const defended = seen === 0 && isClean();
    const left = [uploadFolders().length, openUploads(target.pid)];
    rmSync(temporary, { recursive: true });
    return {
      now: `${seen} folders without a secret; afterwards ${left[0]} folders and ${left[1]} descriptors are left`,
      defended,
    };
  },
};

/** @type {import('../figures/attacks.mjs').Attack} */
export const idleBodies = {
  name: '100 connections that announce a batch or an upload, and send nothing',
  before: 'four idle sockets stop all batches and uploads of every tenant',
  async run(target) {
    const some = Array.from({ length: 100 }, (_, n) =>
      beginRequest(target, n % 2 ? BATCH : UPLOAD, n % 2 ? { 'Content-Length': MB } : multipart),
    );
    const sockets = await Promise.all(some);
    const began = performance.now();
    const headers = { 'X-Account-Secret': target.secret };
    const { status } = await target.call(BATCH, { profiles: [{ uid: '1' }] }, headers);
    const ms = performance.now() - began;
    let closed = 0;
    for (const socket of sockets) {
      socket.resume();
      socket.once('close', () => {
        closed += 1;
      });
    }
    await within(20_000, () => closed === sockets.length);
    for (const socket of sockets) socket.destroy();
    return {
      now: `a batch returns ${status} after ${ms.toFixed()} ms; ${closed} of ${sockets.length} connections were closed for sending nothing`,
      defended: status === 202 && ms < 5000 && closed === sockets.length,
    };
  },
};

/** @type {import('../figures/attacks.mjs').Attack} */
export const zipBombs = {
  name: '20 compressed bodies of 1 GB each',
  before: 'compressed bodies were not read at all: the limits of this page include their decoded size',
  async run(target) {
    const bomb = Buffer.concat(Array(64).fill(gzipSync(Buffer.alloc(16 * MB, ' '))));
    const before = await target.memory();
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const path = ['/v3/observe/visits', '/v3/observe/hooks/profiles', BATCH][n % 3];
        const headers = { 'Content-Encoding': 'gzip', 'X-Account-Secret': target.secret };
        const url = `http://127.0.0.1:${target.port}${path}`;
        return fetch(url, { method: 'POST', headers, body: bomb }).then(({ status }) => status);
      }),
    );
    const grown = ((await target.memory()) - before) / MB;
    const wrong = statuses.filter((status) => status !== 413).length;
    return {
      now: `${statuses.length - wrong} of ${statuses.length} return 413; memory grew by ${grown.toFixed()} MB`,
      defended: wrong === 0 && grown < 300,
    };
  },
};
