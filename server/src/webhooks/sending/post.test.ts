import { networkInterfaces } from 'node:os';
import { type Network, readNetwork } from '@usher/domain';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { privateTargets } from '../../../../domain/test/private-targets.ts';
import { makeCertificate, startCanary, startReceiver } from '../../../test/receiver.ts';
import { Poster } from './post.ts';

const hasV6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

function networks(...texts: string[]): Network[] {
  return texts.map((text) => readNetwork(text) as Network);
}

function openPoster(options: Partial<ConstructorParameters<typeof Poster>[0]> = {}): Poster {
  const poster = new Poster({ allowed: networks('127.0.0.0/8', '::1'), sources: [], ...options });
  onTestFinished(() => poster.close());
  return poster;
}

/** Resolves these names, and records the lookups. */
function fakeNames(results: Record<string, string[] | (() => string[])>) {
  const lookups: string[] = [];
  const resolve = async (name: string) => {
    lookups.push(name);
    const result = results[name];
    if (!result) throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
    return typeof result === 'function' ? result() : result;
  };
  return { lookups, resolve };
}

describe('request', () => {
  it('sends the body and the headers, and returns the response', async () => {
    const receiver = await startReceiver({ respond: (response) => response.writeHead(202).end('thanks') });
    const outcome = await openPoster().post(`${receiver.url}?a=1`, { 'x-usher-id': 'i' }, '{"é":1}');
    expect(outcome).toEqual({ status: 202, answer: 'thanks', ms: expect.any(Number) });
    expect(receiver.received).toMatchObject([
      {
        path: '/hooks?a=1',
        body: '{"é":1}',
        headers: {
          host: `127.0.0.1:${receiver.port}`,
          'content-type': 'application/json',
          'content-length': '8',
          'x-usher-id': 'i',
        },
      },
    ]);
  });

  it('reuses the connection of the previous request', async () => {
    const receiver = await startReceiver();
    const poster = openPoster();
    for (let time = 0; time < 3; time++) await poster.post(receiver.url, {}, '');
    expect(receiver.received.map(({ connection }) => connection)).toEqual([1, 1, 1]);
  });

  it('opens a new connection if the kept one was closed', async () => {
    const receiver = await startReceiver();
    const poster = openPoster();
    await poster.post(receiver.url, {}, 'first');
    receiver.respond = (response, { connection }) => {
      if (connection === 1) response.destroy();
      else response.end('again');
    };
    expect(await poster.post(receiver.url, {}, 'second')).toMatchObject({ status: 200, answer: 'again' });
    expect(receiver.received.map(({ body }) => body)).toEqual(['first', 'second', 'second']);
  });

  it('does not follow redirects', async () => {
    const canary = await startCanary();
    for (const status of [301, 302, 303, 307, 308]) {
      const receiver = await startReceiver({
        respond: (response) => response.writeHead(status, { location: `http://127.0.0.1:${canary.port}/` }).end(),
      });
      expect(await openPoster().post(receiver.url, {}, '')).toMatchObject({ status });
      expect(receiver.received).toHaveLength(1);
    }
    expect(canary.connections()).toBe(0);
  });

  it('does not use a proxy of the environment', async () => {
    const canary = await startCanary();
    const receiver = await startReceiver();
    for (const name of ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'])
      vi.stubEnv(name, name === 'NODE_USE_ENV_PROXY' ? '1' : `http://127.0.0.1:${canary.port}`);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    expect(await openPoster().post(receiver.url, {}, '')).toMatchObject({ status: 200 });
    expect(canary.connections()).toBe(0);
  });
});

describe('response', () => {
  it('keeps up to 500 characters of the response, without characters that no column can store', async () => {
    const receiver = await startReceiver({ respond: (response) => response.end(`\0é${'x'.repeat(600)}`) });
    const outcome = await openPoster().post(receiver.url, {}, '');
    expect(outcome).toMatchObject({ status: 200, answer: `é${'x'.repeat(499)}` });
    receiver.respond = (response) => response.end(`${'x'.repeat(499)}😀`);
    expect(await openPoster().post(receiver.url, {}, '')).toMatchObject({ answer: `${'x'.repeat(499)}\ufffd` });
  });

  it('stops reading an endless response', async () => {
    let written = 0;
    const receiver = await startReceiver({
      respond: (response) => {
        const more = () => {
          written += 16_384;
          if (!response.destroyed) response.write('x'.repeat(16_384), more);
        };
        more();
      },
    });
    expect(await openPoster().post(receiver.url, {}, '')).toMatchObject({ status: 200, answer: 'x'.repeat(500) });
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  it('fails if the response is not complete within 7 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const receiver = await startReceiver({ respond: (response) => void response.write('begun') });
    let ended = false;
    const outcome = openPoster()
      .post(receiver.url, {}, '')
      .finally(() => {
        ended = true;
      });
    await untilTrue(() => receiver.received.length === 1);
    vi.advanceTimersByTime(6999);
    await turn();
    expect(ended).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await outcome).toEqual({ error: 'no answer within 7 s', ms: expect.any(Number) });
  });

  it('times out without a response, with a slow response, or with a slow name lookup', async () => {
    const receiver = await startReceiver({ respond: () => {} });
    const never = openPoster({ timeoutMs: 30, resolve: () => new Promise(() => {}) });
    const late = { error: 'no answer within 0.03 s', ms: expect.any(Number) };
    expect(await never.post(receiver.url, {}, '')).toEqual(late);
    receiver.respond = (response) => {
      response.write('a');
      const more = setInterval(() => response.write('a'), 1);
      response.once('close', () => clearInterval(more));
    };
    expect(await never.post(receiver.url, {}, '')).toEqual(late);
    expect(await never.post('https://receiver.test/', {}, '')).toEqual(late);
  });

  it('describes connection errors in words', async () => {
    const receiver = await startReceiver({ respond: (response) => response.destroy() });
    const poster = openPoster({ resolve: fakeNames({}).resolve });
    const errorOf = async (url: string) => ((await poster.post(url, {}, '')) as { error: string }).error;
    expect(await errorOf(receiver.url)).toBe('the connection was closed before there was an answer');
    receiver.respond = (response) => response.socket?.end('nonsense\r\n\r\n');
    expect(await errorOf(receiver.url)).toBe('the answer is not HTTP (HPE_INVALID_CONSTANT)');
    await receiver.stop();
    expect(await errorOf(receiver.url)).toBe('the connection was refused');
    expect(await errorOf('https://nowhere.test/')).toBe('the host name is not known');
    expect(await errorOf('nonsense')).toBe('the address must be a whole address, such as `https://example.com/hooks`');
  });
});

describe('secure connection', () => {
  const certificate = makeCertificate('receiver.test');
  const { resolve } = fakeNames({ 'receiver.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] });

  it('connects to the checked address with the given server name', async () => {
    const receiver = await startReceiver({ tls: certificate });
    const url = `https://receiver.test:${receiver.port}/hooks`;
    const poster = openPoster({ resolve, ca: certificate.cert });
    expect(await poster.post(url, {}, '')).toMatchObject({ status: 200 });
    expect(receiver.received).toMatchObject([{ headers: { host: `receiver.test:${receiver.port}` } }]);
  });

  it('rejects a certificate that is not trusted or for another name', async () => {
    const receiver = await startReceiver({ tls: certificate });
    const untrusted = await openPoster({ resolve }).post(`https://receiver.test:${receiver.port}/`, {}, '');
    expect(untrusted).toMatchObject({ error: expect.stringContaining('the certificate is not valid') });
    const trusting = openPoster({ resolve, ca: certificate.cert });
    const wrongName = { error: 'the certificate is for another host' };
    expect(await trusting.post(`https://other.test:${receiver.port}/`, {}, '')).toMatchObject(wrongName);
    expect(await trusting.post(`https://127.0.0.1:${receiver.port}/`, {}, '')).toMatchObject(wrongName);
    expect(receiver.received).toEqual([]);
  });
});

describe('private target', () => {
  it('rejects 300 spellings of private addresses', async () => {
    const canary = await startCanary();
    const poster = openPoster({ allowed: [], timeoutMs: 2000 });
    expect(privateTargets.length).toBeGreaterThanOrEqual(300);
    const errors = new Set<string>();
    for (const host of privateTargets) {
      for (const scheme of ['https', 'http']) {
        const outcome = await poster.post(`${scheme}://${host}:${canary.port}/`, {}, '');
        errors.add('error' in outcome ? outcome.error.replace(/`[^`]*`/g, '…') : `${host} was connected to`);
      }
    }
    expect([...errors].sort()).toEqual([
      'the address must be on the public internet, which … is not; an operator of this server can allow it in the setting …',
    ]);
    expect(canary.connections()).toBe(0);
  });

  it('rejects a name that resolves to a private address', async () => {
    const canary = await startCanary();
    const addresses = [
      '127.0.0.1',
      '10.0.0.1',
      '169.254.169.254',
      '::1',
      '::ffff:127.0.0.1',
      'fe80::1%lo',
      '64:ff9b::7f00:1',
    ];
    const { resolve, lookups } = fakeNames(Object.fromEntries(addresses.map((one, at) => [`n${at}.test`, [one]])));
    const poster = openPoster({ allowed: [], resolve });
    for (const at of addresses.keys()) {
      const outcome = await poster.post(`https://n${at}.test:${canary.port}/`, {}, '');
      expect(outcome).toMatchObject({
        error:
          'the host has no address on the public internet; an operator of this server can allow its network in `USHER_WEBHOOK_ALLOW_NETWORKS`',
      });
    }
    expect(lookups).toHaveLength(addresses.length);
    expect(canary.connections()).toBe(0);
  });

  it('rejects a private address that only the system knows for a name', async () => {
    const canary = await startCanary();
    const poster = new Poster({ allowed: networks('10.0.0.0/8'), sources: [] });
    onTestFinished(() => poster.close());
    const outcome = await poster.post(`http://localhost:${canary.port}/`, {}, '');
    expect(outcome).toMatchObject({ error: expect.stringContaining('`localhost` is not') });
    expect(canary.connections()).toBe(0);
  });

  it('connects only to the address that was checked, even if the name resolves to another one later', async () => {
    const canary = await startReceiver({ host: '127.0.0.1' });
    const url = `http://rebound.test:${canary.port}/`;
    const results = [['127.0.0.9'], ['127.0.0.1']];
    const { resolve, lookups } = fakeNames({ 'rebound.test': () => results.shift() ?? ['127.0.0.1'] });
    const options = { allowed: networks('127.0.0.9'), resolve };
    expect(await openPoster(options).post(url, {}, '')).toMatchObject({ error: 'the connection was refused' });
    expect(lookups).toEqual(['rebound.test']);
    const after = await openPoster(options).post(url, {}, '');
    expect(after).toMatchObject({
      error:
        'the host has no address on the public internet; an operator of this server can allow its network in `USHER_WEBHOOK_ALLOW_NETWORKS`',
    });
    expect(lookups).toHaveLength(2);
    expect(canary.connections()).toBe(0);
  });

  it('skips private addresses of a name that has public ones too', async () => {
    const receiver = await startReceiver({ host: '127.0.0.9' });
    const canary = await startReceiver({ host: '127.0.0.1', port: receiver.port });
    const { resolve } = fakeNames({ 'both.test': ['127.0.0.1', '127.0.0.9', '10.0.0.1'] });
    const poster = openPoster({ allowed: networks('127.0.0.9'), resolve });
    expect(await poster.post(`http://both.test:${receiver.port}/`, {}, '')).toMatchObject({ status: 200 });
    expect([receiver.connections(), canary.connections()]).toEqual([1, 0]);
  });

  it('rejects a network that is denied, even if it is also allowed', async () => {
    const receiver = await startReceiver({ host: '127.0.0.5' });
    const { resolve } = fakeNames({ 'denied.test': ['127.0.0.5', '::ffff:127.0.0.5'] });
    const allowed = networks('127.0.0.0/8', '::/0');
    const poster = openPoster({ allowed, denied: networks('127.0.0.4/31'), resolve });
    expect(await poster.post(receiver.url, {}, '')).toMatchObject({
      error: 'the address must not be in a network that the operator has denied',
    });
    expect(await poster.post(`http://denied.test:${receiver.port}/`, {}, '')).toHaveProperty('error');
    expect(receiver.connections()).toBe(0);
  });

  it('rejects this server itself, by its public URL or by its port', async () => {
    const own = await startReceiver({ host: '127.0.0.1' });
    const { resolve } = fakeNames({ 'usher.test': ['127.0.0.1'], 'alias.test': ['::ffff:127.0.0.1', '127.0.0.1'] });
    const poster = openPoster({ allowed: networks('127.0.0.0/8', '::/0'), ownUrl: 'https://usher.test', resolve });
    poster.ownPort = own.port;
    expect(await poster.post('https://USHER.test.:443/hooks', {}, '')).toMatchObject({
      error: 'the address must not be an address of this server',
    });
    for (const host of ['127.0.0.1', '127.9.9.9', '[::1]', 'alias.test'])
      expect(await poster.post(`http://${host}:${own.port}/`, {}, '')).toMatchObject({
        error: 'the host is this server itself',
      });
    expect(own.connections()).toBe(0);
    const other = await startReceiver({ host: '127.0.0.1' });
    expect(await poster.post(other.url, {}, '')).toMatchObject({ status: 200 });
  });

  it('connects to a private network that the operator allows', async () => {
    const receiver = await startReceiver({ host: '127.0.0.5' });
    expect(await openPoster({ allowed: [] }).post(receiver.url, {}, '')).toHaveProperty('error');
    expect(await openPoster({ allowed: networks('127.0.0.4') }).post(receiver.url, {}, '')).toHaveProperty('error');
    expect(receiver.connections()).toBe(0);
    const allowing = openPoster({ allowed: networks('127.0.0.4/31') });
    expect(await allowing.post(receiver.url, {}, '')).toMatchObject({ status: 200 });
  });
});

describe('source addresses', () => {
  const sources = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];

  it('uses the source addresses one after the other, and no others', async () => {
    const receiver = await startReceiver();
    const poster = openPoster({ sources });
    for (let time = 0; time < 7; time++) expect(await poster.post(receiver.url, {}, '')).toMatchObject({ status: 200 });
    const run = [0, 1, 2, 0, 1, 2, 0].map((at) => sources[at]);
    expect(receiver.received.map(({ from }) => from)).toEqual(run);
    expect(receiver.connections()).toBe(3);
  });

  it('uses the source addresses for host names too', async () => {
    const receiver = await startReceiver();
    const { resolve } = fakeNames({ 'receiver.test': ['::1', '127.0.0.1'] });
    const poster = openPoster({ sources, resolve });
    for (let time = 0; time < 3; time++) await poster.post(`http://receiver.test:${receiver.port}/`, {}, '');
    expect(receiver.received.map(({ from }) => from)).toEqual(sources);
  });

  it.runIf(hasV6)('uses source addresses of the IP version of the target', async () => {
    const receiver = await startReceiver({ host: '::1' });
    const both = openPoster({ sources: [...sources, '::1'] });
    expect(await both.post(receiver.url, {}, '')).toMatchObject({ status: 200 });
    expect(receiver.received.map(({ from }) => from)).toEqual(['::1']);
    const none = await openPoster({ sources }).post(receiver.url, {}, '');
    expect(none).toMatchObject({ error: 'none of the source addresses can reach the host' });
    expect(receiver.connections()).toBe(1);
  });

  it('reports a source address that this machine does not have', async () => {
    const receiver = await startReceiver();
    const outcome = await openPoster({ sources: ['192.0.2.1'] }).post(receiver.url, {}, '');
    expect(outcome).toMatchObject({ error: 'the source address is none of this machine' });
    expect(receiver.connections()).toBe(0);
  });
});

/** Uses the real clock, even while timers are faked. */
async function untilTrue(condition: () => boolean): Promise<void> {
  for (let turns = 0; turns < 100_000 && !condition(); turns++) await turn();
  expect(condition()).toBe(true);
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
