import { once } from 'node:events';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

const MB = 1024 * 1024;
const WATCHED_MS = 2000;
const request = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';

/** @type {import('../figures/attacks.mjs').Attack} */
export const pipelining = {
  name: 'thousands of requests on one socket without reading the responses',
  before: '1,700 on one socket: +1.8 GB, others blocked for 14 s; 20 sockets with 10,000 each: the process died',
  run: async ({ port, memory, call }) => {
    await call('/openapi.json');
    const before = await memory();
    const one = await attack({ port, memory, call }, 1, 1700);
    const many = await attack({ port, memory, call }, 20, 10_000);
    const now = [one, many].map(
      ({ name, most, slowest }) =>
        `${name}: +${Math.max(0, Math.round((most - before) / MB))} MB, others waited ${Math.round(slowest)} ms at most`,
    );
    const defended = [one, many].every(({ most, slowest }) => most - before < 150 * MB && slowest < 1000);
    return { now: now.join('; '), defended };
  },
};

/**
 * @param {Pick<import('../figures/attacks.mjs').Target, 'port' | 'memory' | 'call'>} target
 * @param {number} sockets
 * @param {number} requests
 */
async function attack({ port, memory, call }, sockets, requests) {
  const open = await Promise.all(
    Array.from({ length: sockets }, async () => {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      await once(socket, 'connect');
      return socket.pause();
    }),
  );
  for (const socket of open) socket.write(request.repeat(requests));
  let most = 0;
  let slowest = 0;
  for (const end = performance.now() + WATCHED_MS; performance.now() < end; await pause(20)) {
    const sent = performance.now();
    await call('/healthz');
    slowest = Math.max(slowest, performance.now() - sent);
    most = Math.max(most, await memory());
  }
  for (const socket of open) socket.destroy();
  return { name: `${sockets} × ${requests.toLocaleString('en')} requests`, most, slowest };
}
