import type { World } from '../context.ts';
import { type Encoded, encodeInBackground, replyEncoded } from './encoded.ts';
import type { Metrics } from './metrics.ts';
import { jsonReply, replyWith } from './reply.ts';
import type { HttpServer } from './server.ts';

const asJson = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' };

/** What those ask who run the server, and the API reference. */
export function addOperations(
  server: HttpServer,
  { storage, now, webhooks }: World,
  metrics: Metrics,
  describe: () => object,
): void {
  let description: Promise<Encoded> | undefined;
  server.add(['GET'], '/openapi.json', async (request) => {
    description ??= encodeInBackground(JSON.stringify(describe()));
    return replyEncoded(request, await description, asJson);
  });
  server.add(['GET'], '/healthz', async () => jsonReply(200, { status: 'ok' }));
  server.add(['GET'], '/readyz', async () => {
    await storage.reader(null).selectFrom('accounts').select('id').limit(1).execute();
    return jsonReply(200, { status: 'ready' });
  });
  server.add(['GET'], '/metrics', async () => {
    const time = now();
    // Also while the storage is away there is something to tell.
    const outbox = await storage.outbox.measure(time).catch(() => undefined);
    const oldestSeconds = (time - (outbox?.oldest ?? time)) / 1000;
    const text = await metrics.render({ attempts: webhooks.attempts, outbox: outbox && { ...outbox, oldestSeconds } });
    return replyWith(200, text, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
  });
}
