import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createBareServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { payloadSchemas, type WebhookEventKind, webhookEventKinds } from '@usher/domain';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect, onTestFinished } from 'vitest';

interface Received {
  headers: IncomingHttpHeaders;
  path: string;
  body: string;
  /** The address of the sender. */
  from: string;
  /** The number of the connection, counted from 1. */
  connection: number;
}

/** An HTTP server that receives webhooks and responds as the test says. */
export interface Receiver {
  url: string;
  port: number;
  received: Received[];
  connections(): number;
  /** The largest number of requests that were open at the same time. */
  maxOpen(): number;
  /** How the receiver responds from now on. */
  respond: Respond;
  stop(): Promise<void>;
}

type Respond = (response: ServerResponse, request: Received) => void;

/** The published schemas of what webhooks receive. */
let validators: Map<WebhookEventKind, ValidateFunction> | undefined;

/** Returns what does not fit the published schema of the topic. What is no item of Usher is not checked. */
function findMisfits(body: string): unknown[] {
  if (!validators) {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const schemas = payloadSchemas();
    validators = new Map(webhookEventKinds.map((topic) => [topic, ajv.compile(schemas[topic])]));
  }
  const start = /^\{"id":"[0-9a-f]{24}","kind":"([a-z_.]+)","sent_at":/.exec(body);
  const validate = validators.get(start?.[1] as WebhookEventKind);
  return !validate || validate(JSON.parse(body)) ? [] : [start?.[1], ...(validate.errors ?? [])];
}

const respondOk: Respond = (response) => response.end('ok');

export async function startReceiver({
  host = '127.0.0.1',
  port = 0,
  tls,
  respond = respondOk,
}: {
  host?: string;
  port?: number;
  tls?: { cert: string; key: string };
  respond?: Respond;
} = {}): Promise<Receiver> {
  const counted = new Map<Socket, number>();
  const misfits: unknown[] = [];
  let open = 0;
  let maxOpen = 0;
  const listener: Parameters<typeof createServer>[1] = async (request, response) => {
    open += 1;
    maxOpen = Math.max(maxOpen, open);
    response.once('close', () => {
      open -= 1;
    });
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    const { remoteAddress = '' } = request.socket;
    const connection = counted.get(request.socket) ?? 0;
    const one = { headers: request.headers, path: request.url ?? '', body, from: remoteAddress, connection };
    receiver.received.push(one);
    misfits.push(...findMisfits(body));
    receiver.respond(response, one);
  };
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => counted.set(socket, counted.size + 1));
  server.listen(port, host);
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  };
  onTestFinished(async () => {
    await stop();
    expect(misfits, 'what webhooks receive fits the published schemas').toEqual([]);
  });
  const receiver: Receiver = {
    url: `http${tls ? 's' : ''}://${host.includes(':') ? `[${host}]` : host}:${taken}/hooks`,
    port: taken,
    received: [],
    connections: () => sockets.size,
    maxOpen: () => maxOpen,
    respond,
    stop,
  };
  return receiver;
}

/** Listens on every address of this machine and counts the connections. */
export async function startCanary(): Promise<{ port: number; connections(): number }> {
  let connections = 0;
  const server = createBareServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  server.listen(0);
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    await once(server, 'close');
  });
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

/** Creates a self-signed certificate for a host name. */
export function makeCertificate(name: string): { cert: string; key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'usher-certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', '-x509', ...made, '-days', '2', ...subject], { stdio: 'ignore' });
  const read = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  rmSync(folder, { recursive: true });
  return read;
}
