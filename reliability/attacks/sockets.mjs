import { once } from 'node:events';
import { connect } from 'node:net';

/**
 * Opens a connection, and sends the headers of a POST and the first bytes of its body.
 * @param {import('../figures/attacks.mjs').Target} target
 * @param {string} path
 * @param {Record<string, string | number>} headers
 * @param {string} [beginning] the beginning of the body
 */
export async function beginRequest({ port }, path, headers, beginning = '') {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  const head = Object.entries({ Host: 'usher', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  await new Promise((resolve) => {
    socket.write(`POST ${path} HTTP/1.1\r\n${head.join('')}\r\n${beginning}`, resolve);
  });
  return socket;
}

/**
 * @param {number} milliseconds
 * @param {() => Promise<boolean> | boolean} condition
 */
export async function within(milliseconds, condition) {
  const until = performance.now() + milliseconds;
  while (!(await condition())) {
    if (performance.now() > until) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}
