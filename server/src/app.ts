import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BatchThread } from './batch-thread.ts';
import type { World } from './context.ts';
import { createAuthenticate } from './features/accounts/authenticate.ts';
import { accountRoutes } from './features/accounts/routes.ts';
import { captureRoutes } from './features/captures/routes.ts';
import { changeRoutes } from './features/changes/routes.ts';
import { companyRoutes } from './features/companies/routes.ts';
import { deliveryRoutes } from './features/deliveries/routes.ts';
import { eventPageRoutes } from './features/events/page-routes.ts';
import { eventRoutes } from './features/events/routes.ts';
import { experienceRoutes } from './features/experiences/routes.ts';
import { analyzeInteractionRoutes } from './features/interactions/analyze-routes.ts';
import { interactionPageRoutes } from './features/interactions/page-routes.ts';
import { languageRoutes } from './features/languages/routes.ts';
import { limitGroupRoutes } from './features/limit-groups/routes.ts';
import { profileRoutes } from './features/profiles/routes.ts';
import { propertyRoutes } from './features/properties/routes.ts';
import { responseRoutes } from './features/responses/routes.ts';
import { rootRoutes } from './features/root/routes.ts';
import { segmentRoutes } from './features/segments/routes.ts';
import { statsRoutes } from './features/stats/routes.ts';
import { tagRoutes } from './features/tags/routes.ts';
import { translationRoutes } from './features/translations/routes.ts';
import { urlGroupRoutes } from './features/url-groups/routes.ts';
import { urlRoutes } from './features/urls/routes.ts';
import { visitRoutes } from './features/visits/routes.ts';
import { webhookRoutes } from './features/webhooks/routes.ts';
import { demoFolder, scriptFolder } from './folders.ts';
import { answerWith } from './http/answer.ts';
import { answerPage } from './http/answer-page.ts';
import { Arrivals } from './http/arrivals.ts';
import { readClientWith } from './http/client.ts';
import { registerDemo } from './http/demo.ts';
import { createGround, LARGEST_BATCH } from './http/ground.ts';
import { Limits } from './http/limits.ts';
import { Metrics } from './http/metrics.ts';
import { describeApi } from './http/openapi.ts';
import type { PageRoute, Route } from './http/route.ts';
import { registerScript } from './http/script.ts';
import { PageServer } from './http/serve-pages.ts';
import { Traffic } from './http/traffic.ts';
import { LARGEST_UPLOAD, removingFiles, takeInUpload } from './http/upload.ts';
import type { Log } from './log.ts';
import type { Settings } from './settings.ts';
import { version } from './version.ts';

/** Every endpoint of the API. */
export const routes: readonly Route[] = [
  ...rootRoutes,
  ...urlRoutes,
  ...urlGroupRoutes,
  ...propertyRoutes,
  ...profileRoutes,
  ...companyRoutes,
  ...eventRoutes,
  ...segmentRoutes,
  ...accountRoutes,
  ...tagRoutes,
  ...languageRoutes,
  ...experienceRoutes,
  ...translationRoutes,
  ...changeRoutes,
  ...captureRoutes,
  ...deliveryRoutes,
  ...limitGroupRoutes,
  ...analyzeInteractionRoutes,
  ...responseRoutes,
  ...statsRoutes,
  ...webhookRoutes,
];

/** Every endpoint that pages call, from the browsers of end-users. */
export const pageRoutes: readonly PageRoute[] = [...visitRoutes, ...interactionPageRoutes, ...eventPageRoutes];

type AppSettings = Pick<
  Settings,
  | 'tls'
  | 'trustProxy'
  | 'requireHttps'
  | 'publicUrl'
  | 'demo'
  | 'limitPerSecret'
  | 'limitPerAddress'
  | 'limitWrongSecrets'
>;

export function createApp(world: World, settings: AppSettings, log: Log): FastifyInstance {
  const metrics = new Metrics();
  const arrivals = new Arrivals();
  const limits = new Limits(settings, world.now);
  const admit = limits.admit(createAuthenticate(world, arrivals));
  const traffic = new Traffic(world.now);
  const readClient = readClientWith(settings.trustProxy);
  const answerOf = (route: PageRoute) => answerPage(route, { world, admit, limits, traffic });
  const { requireHttps } = settings;
  const pages = new PageServer(pageRoutes, { world, log, metrics, requireHttps, readClient, answerOf });
  const app = createGround(settings, world.storage, log, metrics, pages, arrivals);
  app.addHook('onClose', async () => {
    metrics.stop();
    await thread.stop();
    await world.discovery.stop();
  });

  const thread = new BatchThread(world, traffic, log);
  const admitBatch = traffic.admitBatch(admit);
  const batches = routes.filter((route) => route.batch);
  const uploads = routes.filter((route) => route.takesFiles);
  const others = routes.filter((route) => !route.batch && !route.takesFiles);
  for (const route of others) {
    const handler = answerWith(world, admit, route, traffic);
    app.route({ method: [...route.methods], url: route.path, handler });
  }
  app.register(async (large) => {
    large.removeAllContentTypeParsers();
    large.addContentTypeParser('*', (request: FastifyRequest, incoming: IncomingMessage) =>
      thread.takeIn(request, incoming),
    );
    for (const route of batches) {
      const collect = (request: FastifyRequest) => thread.collect(route.batch as string, request);
      const handler = traffic.inTurn(
        thread.forgetting(answerWith(world, admit, thread.storing(route), traffic, collect)),
      );
      const taken = { bodyLimit: LARGEST_BATCH, onRequest: admitBatch, handler };
      large.route({ method: [...route.methods], url: route.path, ...taken });
    }
  });

  app.register(async (forms) => {
    forms.removeAllContentTypeParsers();
    forms.addContentTypeParser('*', (request: FastifyRequest, incoming: IncomingMessage) =>
      takeInUpload(request, incoming, traffic),
    );
    for (const route of uploads) {
      const handler = traffic.inTurn(removingFiles(answerWith(world, admit, route, traffic)));
      const taken = { bodyLimit: LARGEST_UPLOAD, onRequest: admitBatch, handler };
      forms.route({ method: [...route.methods], url: route.path, ...taken });
    }
  });

  registerScript(app, world, scriptFolder);
  if (settings.demo) registerDemo(app, world, demoFolder);

  const description = describeApi([...routes, ...pageRoutes], version, settings.publicUrl);
  app.get('/openapi.json', async () => description);
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async () => {
    await world.storage.reader(null).selectFrom('accounts').select('id').limit(1).execute();
    return { status: 'ready' };
  });
  app.get('/metrics', async (_request, reply) => {
    reply.type('text/plain; version=0.0.4; charset=utf-8');
    const now = world.now();
    // Also while the storage is away there is something to tell.
    const outbox = await world.storage.outbox.measure(now).catch(() => undefined);
    const oldestSeconds = (now - (outbox?.oldest ?? now)) / 1000;
    return metrics.render({ attempts: world.webhooks.attempts, outbox: outbox && { ...outbox, oldestSeconds } });
  });
  return app;
}
