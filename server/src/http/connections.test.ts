import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Api, startApi } from '../../test/api.ts';
import { createLog } from '../log/log.ts';
import { Metrics } from '../metrics/metrics.ts';
import { readSettings } from '../settings/settings.ts';
import { responseWith } from './http-response.ts';
import { HttpServer } from './server.ts';

const MB = 1024 * 1024;
/** The kernel cannot buffer this much for a client that does not read. */
const LARGE = Buffer.alloc(32 * MB, 'x');

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

/** A server with an endpoint whose response is large, one that waits, and one that streams. */
async function startServer(env: NodeJS.ProcessEnv = {}) {
  const metrics = new Metrics();
  const settings = readSettings(env);
  const server = new HttpServer({ settings, storage: api.app.storage, log: createLog('silent'), metrics });
  const handled: string[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  server.add(['GET'], '/large/:number', async ({ params }) => {
    handled.push(params.number as string);
    return responseWith(200, LARGE, { 'content-type': 'text/plain' });
  });
  server.add(['GET'], '/small', async () => responseWith(200, 'small', {}));
  server.add(['GET', 'POST'], '/waiting', async () => {
    handled.push('waiting');
    await released;
    return responseWith(200, 'released', {});
  });
  server.add(['GET'], '/stream', async () => {
    async function* pieces() {
      yield 'first';
      handled.push('stream');
      await released;
      yield 'last';
    }
    return responseWith(200, Readable.from(pieces()), {});
  });
  const port = Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port);
  onTestFinished(async () => {
    release();
    await server.close();
  });
  return { port, handled, release };
}

/** A connection that reads nothing until `received` is called. That returns everything that came until it was closed. */
async function open(port: number): Promise<{ socket: Socket; received: () => Promise<string> }> {
  const socket = connect(port, '127.0.0.1').pause();
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  const pieces: Buffer[] = [];
  const received = async () => {
    socket.on('data', (piece) => pieces.push(piece)).resume();
    if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
    return Buffer.concat(pieces).toString();
  };
  return { socket, received };
}

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const last = 'Connection: close\r\n';
const statusLinesOf = (text: string) => text.match(/HTTP\/1\.1 \d+/g);

describe('pipelined requests', () => {
  it('handles one request at a time, and the next when the client has read the response', async () => {
    const { port, handled } = await startServer();
    const { socket, received } = await open(port);
    socket.write([0, 1, 2, 3].map((number) => get(`/large/${number}`, number === 3 ? last : '')).join(''));
    await vi.waitFor(() => expect(handled).toEqual(['0']));
    // The server has read everything that was sent when it responds on another connection.
    await fetch(`http://127.0.0.1:${port}/small`);
    expect(handled).toEqual(['0']);
    expect(statusLinesOf(await received())).toEqual(Array(4).fill('HTTP/1.1 200'));
    expect(handled).toEqual(['0', '1', '2', '3']);
  });

  it('disconnects a client that sends too many requests, and serves others meanwhile', async () => {
    const { port, handled } = await startServer();
    const flooding = await Promise.all(Array.from({ length: 5 }, () => open(port)));
    for (const { socket } of flooding) socket.write(get('/large/0').repeat(2000));
    expect((await fetch(`http://127.0.0.1:${port}/small`)).status).toBe(200);
    for (const { received } of flooding) await received();
    expect(handled.length).toBeLessThanOrEqual(flooding.length);
  });

  it('returns 417 in order for an unknown `Expect`, then disconnects', async () => {
    const { port, handled, release } = await startServer();
    const { socket, received } = await open(port);
    socket.write(get('/waiting') + get('/small', 'Expect: x\r\n') + get('/small'));
    await vi.waitFor(() => expect(handled).toEqual(['waiting']));
    release();
    const text = await received();
    expect(statusLinesOf(text)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 417']);
    expect(text).toContain('{"code":417,"messages":["The header `Expect` may only be `100-continue`"]}');
    expect(text).toMatch(/connection: close/i);
  });

  it('disconnects a client that sends too many requests with an unknown `Expect`', async () => {
    const { port } = await startServer();
    const { socket, received } = await open(port);
    socket.write(get('/waiting') + get('/small', 'Expect: x\r\n').repeat(2000));
    expect(await received()).toBe('');
  });

  it('handles pipelined requests with bodies that come in pieces', async () => {
    const { port, release } = await startServer();
    const { socket, received } = await open(port);
    const post = (more = '') => `POST /waiting HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n${more}\r\n0123456789`;
    const sent = post() + post() + post(last);
    for (let at = 0; at < sent.length; at += 50) socket.write(sent.slice(at, at + 50));
    release();
    expect(statusLinesOf(await received())).toEqual(Array(3).fill('HTTP/1.1 200'));
  });

  it('disconnects a client that reads nothing for USHER_SEND_TIMEOUT', async () => {
    const { port, handled } = await startServer({ USHER_SEND_TIMEOUT: '1', USHER_CONNECTIONS: '1' });
    const { socket, received } = await open(port);
    socket.write(get('/large/0'));
    await vi.waitFor(() => expect(handled).toEqual(['0']));
    // The only connection that is allowed is taken until the server has closed it.
    const another = () => fetch(`http://127.0.0.1:${port}/small`).then(({ status }) => status);
    await expect(another()).rejects.toThrow();
    await vi.waitFor(async () => expect(await another()).toBe(200), { timeout: 10_000, interval: 100 });
    expect((await received()).length).toBeLessThan(LARGE.length);
  });
});

describe('the number of connections', () => {
  it('limits connections per address, and counts only open ones', async () => {
    const { port } = await startServer({ USHER_CONNECTIONS_PER_ADDRESS: '2' });
    const first = await open(port);
    await open(port);
    const third = await open(port);
    third.socket.write(get('/small', last));
    expect(await third.received()).toBe('');
    first.socket.destroy();
    await vi.waitFor(async () => {
      const fourth = await open(port);
      fourth.socket.write(get('/small', last));
      expect(statusLinesOf(await fourth.received())).toEqual(['HTTP/1.1 200']);
    });
  });

  it('does not limit connections of a trusted proxy', async () => {
    const { port } = await startServer({ USHER_CONNECTIONS_PER_ADDRESS: '1', USHER_TRUST_PROXY: '127.0.0.1' });
    await open(port);
    const second = await open(port);
    second.socket.write(get('/small', last));
    expect(statusLinesOf(await second.received())).toEqual(['HTTP/1.1 200']);
  });

  it('limits connections of all addresses together', async () => {
    const { port } = await startServer({ USHER_CONNECTIONS: '1', USHER_TRUST_PROXY: 'true' });
    const first = await open(port);
    const second = await open(port);
    second.socket.write(get('/small', last));
    expect(await second.received()).toBe('');
    first.socket.write(get('/small', last));
    expect(statusLinesOf(await first.received())).toEqual(['HTTP/1.1 200']);
  });

  it('closes a connection after USHER_REQUESTS_PER_CONNECTION requests', async () => {
    const { port, handled } = await startServer({ USHER_REQUESTS_PER_CONNECTION: '2' });
    const { socket, received } = await open(port);
    socket.write(get('/small').repeat(2) + get('/large/0'));
    const text = await received();
    expect(statusLinesOf(text)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
    expect(text.match(/^connection: \S+/gim)).toEqual(['Connection: keep-alive', 'connection: close']);
    expect(handled).toEqual([]);
  });
});

describe('invalid HTTP after a request', () => {
  it('closes the connection without a response when the request is still in progress', async () => {
    const { port, handled, release } = await startServer();
    const { socket, received } = await open(port);
    socket.write(get('/waiting'));
    await vi.waitFor(() => expect(handled).toEqual(['waiting']));
    socket.write('this is not HTTP\r\n\r\n');
    expect(await received()).toBe('');
    release();
  });

  it('closes the connection in the middle of a response, and writes nothing into it', async () => {
    const { port, handled } = await startServer();
    const { socket, received } = await open(port);
    socket.write(get('/stream'));
    await vi.waitFor(() => expect(handled).toEqual(['stream']));
    socket.write('this is not HTTP\r\n\r\n');
    const text = await received();
    expect(text).toContain('first');
    expect(statusLinesOf(text)).toEqual(['HTTP/1.1 200']);
  });

  it('returns 400 after the response has been sent', async () => {
    const { port } = await startServer();
    const { socket, received } = await open(port);
    socket.write(get('/small'));
    socket.resume();
    await once(socket, 'data');
    socket.write('this is not HTTP\r\n\r\n');
    expect(statusLinesOf(await received())).toEqual(['HTTP/1.1 400']);
  });
});

describe('a rejected body', () => {
  const head = (path: string, more: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;

  it('closes the connection after the error response when the body is large', async () => {
    const { port } = new URL(api.url);
    const { socket, received } = await open(Number(port));
    socket.write(head('/v3/edit/urls', `Content-Length: ${3 * MB}\r\n`));
    socket.write(Buffer.alloc(3 * MB, 'x'));
    socket.write(get('/healthz'));
    const text = await received();
    expect(statusLinesOf(text)).toEqual(['HTTP/1.1 413']);
    expect(text).toMatch(/^connection: close\r$/im);
  });

  it('stops reading an endless body', async () => {
    const { port } = new URL(api.url);
    const { socket, received } = await open(Number(port));
    socket.write(head('/v3/nothing', 'Transfer-Encoding: chunked\r\n'));
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    let sent = 0;
    const send = () => {
      while (!socket.destroyed && socket.write(chunk)) sent += chunk.length;
      sent += chunk.length;
    };
    socket.on('drain', send);
    send();
    expect(statusLinesOf(await received())).toEqual(['HTTP/1.1 404']);
    expect(sent).toBeLessThan(64 * MB);
  });

  it('closes the connection of a client that stops sending, within two seconds', async () => {
    const { port } = new URL(api.url);
    const closing = [3 * MB, 1000].map(async (size) => {
      const { socket, received } = await open(Number(port));
      const startedAt = performance.now();
      socket.write(head('/v3/nothing', `Content-Length: ${size}\r\n`));
      expect(statusLinesOf(await received())).toEqual(['HTTP/1.1 404']);
      expect(performance.now() - startedAt).toBeLessThan(4000);
    });
    await Promise.all(closing);
  });

  it('sends the end of the connection together with the response when the body is large', async () => {
    const { port } = new URL(api.url);
    const { socket } = await open(Number(port));
    const startedAt = performance.now();
    socket.write(head('/v3/nothing', `Content-Length: ${3 * MB}\r\n`));
    socket.resume();
    await once(socket, 'end');
    expect(performance.now() - startedAt).toBeLessThan(1500);
  });

  it('keeps the connection open when the body is small', async () => {
    const { port } = new URL(api.url);
    const { socket, received } = await open(Number(port));
    socket.write(head('/v3/nothing', 'Content-Length: 10\r\n'));
    socket.resume();
    await once(socket, 'data');
    socket.write(`0123456789${get('/healthz', last)}`);
    expect(statusLinesOf(await received())).toEqual(['HTTP/1.1 200']);
  });
});
