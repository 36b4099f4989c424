import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { accessSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { vi } from 'vitest';

/** Debian's package `pebble` has the test server of Let's Encrypt, which checks challenges as it does. */
export const hasPebble = (process.env.PATH ?? '').split(delimiter).some((folder) => {
  try {
    accessSync(join(folder, 'pebble'));
    return true;
  } catch {
    return false;
  }
});

export interface Pebble {
  directory: string;
  /** A file with the authority of the directory's own certificate. */
  caFile: string;
  /** The certificate and key of the directory, for other servers that stand in for one. */
  tls: { cert: Buffer; key: Buffer };
  /** Where it requests challenges, whatever the domain. */
  httpPort: number;
  /** The authority that signs what it issues. */
  root: string;
  stop(): Promise<void>;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts it with a name server for which every domain is this machine. */
export async function startPebble(env: Record<string, string> = {}): Promise<Pebble> {
  const folder = mkdtempSync(join(tmpdir(), 'usher-pebble-'));
  const caFile = createCertificate(folder);
  const files = { certificate: join(folder, 'cert.pem'), privateKey: join(folder, 'key.pem') };
  const [port, managementPort, httpPort] = [await freePort(), await freePort(), await freePort()];
  const config = join(folder, 'pebble.json');
  const pebble = {
    ...files,
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    httpPort,
    tlsPort: await freePort(),
    certificateValidityPeriod: 90 * 24 * 60 * 60,
  };
  writeFileSync(config, JSON.stringify({ pebble }));
  const names = await startNameServer();
  const child = spawn('pebble', ['-config', config, '-dnsserver', `127.0.0.1:${names.port}`], {
    // It rejects a part of the good nonces, so that clients have to repeat requests.
    env: {
      PATH: process.env.PATH,
      PEBBLE_VA_NOSLEEP: '1',
      PEBBLE_AUTHZREUSE: '0',
      PEBBLE_WFE_NONCEREJECT: '30',
      ...env,
    },
    stdio: 'ignore',
  });
  const ca = readFileSync(caFile);
  const root = await vi.waitFor(() => get(`https://127.0.0.1:${managementPort}/roots/0`, ca), {
    timeout: 15_000,
    interval: 50,
  });
  return {
    directory: `https://127.0.0.1:${port}/dir`,
    caFile,
    tls: { cert: readFileSync(files.certificate), key: readFileSync(files.privateKey) },
    httpPort,
    root,
    stop: async () => {
      await end(child);
      names.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A certificate for 127.0.0.1 that signs itself. */
function createCertificate(folder: string): string {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=pebble', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', ...kind, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return cert;
}

async function get(url: string, ca: Buffer): Promise<string> {
  const sent = request(url, { ca, agent: false }).end();
  const [response] = await once(sent, 'response');
  return text(response);
}

async function startNameServer() {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => socket.send(answerName(query), from.port, from.address));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { port: socket.address().port, close: () => socket.close() };
}

/** Repeats the question. To one for an address (type A) it adds 127.0.0.1, and to others nothing. */
function answerName(query: Buffer): Buffer {
  const endOfName = query.indexOf(0, 12) + 1;
  const question = query.subarray(12, endOfName + 4);
  const isForAddress = question.readUInt16BE(question.length - 4) === 1;
  const header = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, isForAddress ? 1 : 0, 0, 0, 0, 0]);
  query.copy(header, 0, 0, 2);
  const address = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
  return Buffer.concat([header, question, ...(isForAddress ? [address] : [])]);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
