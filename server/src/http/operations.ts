import { createHash, timingSafeEqual } from 'node:crypto';
import type { AppContext } from '../context.ts';
import { forbidden } from '../errors.ts';
import { type Encoded, encodedResponse, encodeInBackground } from './encoded-response.ts';
import { jsonResponse, responseWith } from './http-response.ts';
import type { Metrics } from './metrics.ts';
import type { Handler, HttpServer } from './server.ts';

const asJson = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' };

interface Operations {
  server: HttpServer;
  /** For what only operators need; the same unless it has a port of its own. */
  inner: HttpServer;
  app: AppContext;
  metrics: Metrics;
  secret: string | undefined;
  describe(): object;
}

/** Health, metrics and the API reference. */
export function addOperations({ server, inner, app, metrics, secret, describe }: Operations): void {
  const { storage, now, webhooks } = app;
  const isAllowed = secret === undefined ? () => true : hasSecret(secret);
  const addInner = (path: string, answer: Handler) =>
    inner.add(['GET'], path, async (request) => {
      if (!isAllowed(request.headers.authorization))
        throw forbidden('Give the secret of USHER_OPERATIONS_SECRET as `Authorization: Bearer <secret>`');
      return answer(request);
    });

  let description: Promise<Encoded> | undefined;
  addInner('/openapi.json', async (request) => {
    description ??= encodeInBackground(JSON.stringify(describe()));
    return encodedResponse(request, await description, asJson);
  });
  addInner('/metrics', async () => {
    const time = now();
    // Also while the storage is away there is something to tell.
    const outbox = await storage.dueWebhooks.count(time).catch(() => undefined);
    const oldestSeconds = (time - (outbox?.oldest ?? time)) / 1000;
    const text = await metrics.render({ attempts: webhooks.attempts, outbox: outbox && { ...outbox, oldestSeconds } });
    return responseWith(200, text, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
  });
  for (const one of new Set([server, inner])) {
    one.add(['GET'], '/healthz', async () => jsonResponse(200, { status: 'ok' }));
    one.add(['GET'], '/readyz', async () => {
      await storage.reader(null).selectFrom('accounts').select('id').limit(1).execute();
      return jsonResponse(200, { status: 'ready' });
    });
  }
}

/** Hashes are compared, which are of one length: the time tells nothing of the secret. */
function hasSecret(secret: string): (authorization: string | undefined) => boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  const wanted = hash(`Bearer ${secret}`);
  return (authorization = '') => timingSafeEqual(hash(authorization), wanted);
}
