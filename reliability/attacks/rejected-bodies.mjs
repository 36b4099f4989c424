import { once } from 'node:events';
import { connect } from 'node:net';

const MB = 1024 * 1024;
const TIMEOUT_MS = 8000;
const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;

/** @type {import('../figures/attacks.mjs').Attack} */
export const rejectedBodies = {
  name: 'an endless body after it was rejected, and invalid HTTP after a pending request',
  before: 'the body was read until the timeout of the request; the error was written into a pending response',
  run: async ({ port }) => {
    const { sent, status, closed } = await sendEndlessBody(port);
    const garbage = await sendGarbage(port);
    return {
      now: `${status} and ${closed ? 'disconnected' : 'still connected'} after ${Math.round(sent / MB)} MB; invalid HTTP after a request: ${garbage} responses`,
      defended: closed && status === '404' && sent < 64 * MB && garbage <= 1,
    };
  },
};

/** @param {number} port */
async function sendEndlessBody(port) {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  let received = '';
  socket.on('data', (piece) => {
    received += piece;
  });
  socket.write('POST /v3/edit/nothing_here HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  let sent = 0;
  const send = () => {
    for (let more = !socket.destroyed; more; sent += chunk.length) more = socket.write(chunk);
  };
  socket.on('drain', send);
  send();
  const closed = await closedInTime(socket);
  socket.destroy();
  return { sent, closed, status: /^HTTP\/1\.1 (\d+)/.exec(received)?.[1] };
}

/**
 * Returns how many responses a request gets that is followed by invalid HTTP.
 * @param {number} port
 */
async function sendGarbage(port) {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  let received = '';
  socket.on('data', (piece) => {
    received += piece;
  });
  await once(socket, 'connect');
  socket.write('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\nthis is not HTTP\r\n\r\n');
  await closedInTime(socket);
  socket.destroy();
  return (received.match(/HTTP\/1\.1 \d+/g) ?? []).length;
}

/** @param {import('node:net').Socket} socket */
function closedInTime(socket) {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), TIMEOUT_MS);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
