import { createHash, timingSafeEqual } from 'node:crypto';
import type { AppContext } from '../context.ts';
import type { Storage } from '../db/storage.ts';
import { ApiError, forbidden } from '../errors.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { shareFor } from '../metrics/share-for.ts';
import { type EncodedText, encodedResponse, encodeTextInBackground } from './encoded-response.ts';
import type { Handler } from './endpoint.ts';
import { errorResponse } from './error-response.ts';
import { HttpResponse, jsonResponse, responseWith } from './http-response.ts';
import { BASE_PATH_HEADER, INSTALLATION_HEADER } from './installation-header.ts';
import type { HttpServer } from './server.ts';

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' };

/** Rendering takes 23 ms with all routes in use, and anyone may read the metrics: they are rendered once for all within this time. */
const RENDER_INTERVAL_MS = 1000;

interface Operations {
  server: HttpServer;
  /** The server for operators: the same one, unless USHER_OPERATIONS_PORT is set. */
  operationsServer: HttpServer;
  app: AppContext;
  metrics: Metrics;
  secret: string | undefined;
  /** The descriptions of the API, by their paths. */
  documents: Record<string, () => Promise<object>>;
}

/** Health, metrics and the API reference. */
export function addOperations({ server, operationsServer, app, metrics, secret, documents }: Operations): void {
  const { storage } = app;
  const isAllowed = secret === undefined ? () => true : hasSecret(secret);
  const addProtected = (path: string, handle: Handler) =>
    operationsServer.add(['GET'], path, async (request) => {
      if (!isAllowed(request.headers.authorization))
        throw forbidden('Give the secret of USHER_OPERATIONS_SECRET as `Authorization: Bearer <secret>`');
      return handle(request);
    });

  for (const [path, describe] of Object.entries(documents)) {
    let description: Promise<EncodedText> | undefined;
    const write = async () => encodeTextInBackground(JSON.stringify(await describe()));
    addProtected(path, async (request) => {
      description ??= write().catch((error) => {
        description = undefined;
        throw error;
      });
      return encodedResponse(request, await description, jsonHeaders);
    });
  }
  const renderOwn = () => metrics.render();
  app.group?.onMetrics(renderOwn);
  const renderMetrics = shareFor(RENDER_INTERVAL_MS, async () => {
    const own = await renderOwn();
    return Buffer.from(app.group ? await app.group.mergeMetrics(own) : own);
  });
  addProtected('/metrics', async () =>
    responseWith(200, await renderMetrics(), { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }),
  );
  /**
   * Anyone may send this request, so concurrent requests share one check: on Citus a check takes a statement for each
   * worker.
   */
  let checking: Promise<string[]> | undefined;
  const findUnavailable = () => {
    checking ??= checkStorage(storage).finally(() => {
      checking = undefined;
    });
    return checking;
  };
  for (const one of new Set([server, operationsServer])) {
    const serveHealth: Handler = async ({ isBelowBasePath }) => {
      const { status, body, headers } = jsonResponse(200, { status: 'ok' });
      const basePath = isBelowBasePath ? [BASE_PATH_HEADER, app.setup?.basePath ?? ''] : [];
      const installation = [INSTALLATION_HEADER, app.setup?.installationId ?? ''];
      return new HttpResponse(status, body, [...headers, ...installation, ...basePath]);
    };
    one.add(['GET'], '/healthz', serveHealth, { isForPages: true });
    one.add(['GET'], '/readyz', async () => {
      // The error is returned and not thrown, because otherwise each check of the load balancer would log an error.
      if (one.isStopping) return errorResponse(new ApiError(503, ['This server is stopping']), false);
      // If only a part of the storage is unavailable, the node stays ready: no other node could serve the accounts on
      // that part either.
      const unavailable = await findUnavailable();
      if (unavailable.length === 0 && app.pageLoadFailures.areAllFailing())
        return errorResponse(new ApiError(503, ['Page loads fail on this server: its log says why']), false);
      const failing_accounts = app.pageLoadFailures.countAccounts();
      return jsonResponse(200, {
        status: 'ready',
        ...(unavailable.length > 0 && { unavailable }),
        ...(failing_accounts > 0 && { failing_accounts }),
      });
    });
  }
}

/** Throws if the whole storage is unavailable. Otherwise returns the names of its unavailable parts. */
async function checkStorage(storage: Storage): Promise<string[]> {
  await storage.reader(null).selectFrom('accounts').select('id').limit(1).execute();
  return storage.listUnavailable();
}

/** Compares hashes, which have one length, in constant time, so that the time reveals nothing about the secret. */
function hasSecret(secret: string): (authorization: string | undefined) => boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  const expected = hash(`Bearer ${secret}`);
  return (authorization = '') => timingSafeEqual(hash(authorization), expected);
}
