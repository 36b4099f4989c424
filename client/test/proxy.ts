import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { Api } from '../../server/test/api.ts';

type Intercept = (request: IncomingMessage, response: ServerResponse, attempt: number) => 'pass' | 'lose' | 'done';

/** A proxy in front of the real server: it may respond itself, or lose the response. */
export async function startProxy(api: Api, intercept: Intercept) {
  const requests: { method: string; url: string; key: string | undefined }[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const key = headers['idempotency-key'];
    requests.push({ method, url, key: typeof key === 'string' ? key : undefined });
    const body = await text(request);
    const decision = intercept(request, response, requests.length);
    if (decision === 'done') return;
    const sent = { ...(headers as Record<string, string>) };
    for (const name of ['host', 'connection', 'content-length', 'transfer-encoding']) delete sent[name];
    const answer = await fetch(api.url + url, { method, headers: sent, ...(body && { body }) });
    const content = await answer.text();
    if (decision === 'lose') return response.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(content);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

export const reject = (response: ServerResponse, status: number, body: object) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ code: status, ...body }));
  return 'done' as const;
};
