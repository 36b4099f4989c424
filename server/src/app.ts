import { BatchThread } from './batches/batch-thread.ts';
import type { AppContext } from './context.ts';
import { migrations } from './db/migrations/index.ts';
import { createAuthenticate } from './features/accounts/authenticate.ts';
import { accountRoutes } from './features/accounts/routes.ts';
import { adminRoutes } from './features/admins/routes.ts';
import { attentionRoutes } from './features/attention/routes.ts';
import { auditRoutes } from './features/audit/routes.ts';
import { captureRoutes } from './features/captures/routes.ts';
import { changeRoutes } from './features/changes/routes.ts';
import { companyRoutes } from './features/companies/routes.ts';
import { companySearchRoutes } from './features/company-search/routes.ts';
import { debugTokenRoutes } from './features/debug-tokens/routes.ts';
import { deliveryRoutes } from './features/deliveries/routes.ts';
import { eventNameRoutes } from './features/event-names/routes.ts';
import { eventPageRoutes } from './features/events/page-routes.ts';
import { eventRoutes } from './features/events/routes.ts';
import { experienceRoutes } from './features/experiences/routes.ts';
import { failingStepRoutes } from './features/failing-steps/routes.ts';
import { healthRoutes } from './features/health/routes.ts';
import { installationRoutes } from './features/installation/routes.ts';
import { analyzeInteractionRoutes } from './features/interactions/analyze-routes.ts';
import { interactionPageRoutes } from './features/interactions/page-routes.ts';
import { languageRoutes } from './features/languages/routes.ts';
import { limitGroupRoutes } from './features/limit-groups/routes.ts';
import { invitationRoutes } from './features/links/invitation-routes.ts';
import { linkRoutes } from './features/links/routes.ts';
import { liveRoutes } from './features/live/routes.ts';
import { nameRoutes } from './features/names/routes.ts';
import { pathRoutes } from './features/paths/routes.ts';
import { pickPageRoutes } from './features/picks/page-routes.ts';
import { pickRoutes } from './features/picks/routes.ts';
import { profileDetailsRoutes } from './features/profile-details/routes.ts';
import { profileExportRoutes } from './features/profile-export/routes.ts';
import { profileSearchRoutes } from './features/profile-search/routes.ts';
import { profileSegmentRoutes } from './features/profile-segments/routes.ts';
import { profileRoutes } from './features/profiles/routes.ts';
import { propertyRoutes } from './features/properties/routes.ts';
import { queueRoutes } from './features/queue/routes.ts';
import { responseRoutes } from './features/responses/routes.ts';
import { rootRoutes } from './features/root/routes.ts';
import { sampleDataRoutes } from './features/sample-data/routes.ts';
import { searchRoutes } from './features/searches/routes.ts';
import { secretRoutes } from './features/secrets/routes.ts';
import { segmentRoutes } from './features/segments/routes.ts';
import { createAuthenticateSession } from './features/sessions/authenticate-session.ts';
import { sessionRoutes } from './features/sessions/routes.ts';
import { statsRoutes } from './features/stats/routes.ts';
import { tagRoutes } from './features/tags/routes.ts';
import { targetingRoutes } from './features/targeting/routes.ts';
import { timelineRoutes } from './features/timeline/routes.ts';
import { translationRoutes } from './features/translations/routes.ts';
import { textRoutes } from './features/translations/text-routes.ts';
import { urlGroupRoutes } from './features/url-groups/routes.ts';
import { urlRoutes } from './features/urls/routes.ts';
import { visitRoutes } from './features/visits/routes.ts';
import { dashboardFolder, demoFolder, docsFolder, scriptFolder } from './folders.ts';
import { handleLargeRequest, handleOpenRequest, handleRequest } from './http/handle-request.ts';
import { Limits } from './http/limits.ts';
import { describeApi } from './http/openapi.ts';
import { addOperations } from './http/operations.ts';
import { PerTickDedup } from './http/per-tick-dedup.ts';
import { RequestQueues } from './http/request-queues.ts';
import type { Route } from './http/route.ts';
import { type Handler, HttpServer, type HttpSettings } from './http/server.ts';
import { createUploads } from './http/upload.ts';
import type { Log } from './log.ts';
import { readAppMetrics } from './metrics/app-metrics.ts';
import { Metrics } from './metrics/metrics.ts';
import { ProcessMetrics } from './metrics/process-metrics.ts';
import { readStorageMetrics } from './metrics/storage-metrics.ts';
import { handlePageRequest, handlePreflight } from './pages/handle-page-request.ts';
import type { PageRoute } from './pages/page-route.ts';
import { ReportBudget } from './pages/report-budget.ts';
import { lazyScriptFiles } from './pages/script-files.ts';
import { addDashboard } from './pages/serve-dashboard.ts';
import { addDemo } from './pages/serve-demo.ts';
import { addDocs } from './pages/serve-docs.ts';
import { addPreview } from './pages/serve-preview.ts';
import { addScript } from './pages/serve-script.ts';
import type { Settings } from './settings.ts';
import { version } from './version.ts';
import { webhookRoutes } from './webhooks/api/routes.ts';

/** Every endpoint of the API. */
export const routes: readonly Route[] = [
  ...rootRoutes,
  ...urlRoutes,
  ...urlGroupRoutes,
  ...propertyRoutes,
  ...nameRoutes,
  ...profileRoutes,
  ...profileSegmentRoutes,
  ...profileSearchRoutes,
  ...profileDetailsRoutes,
  ...profileExportRoutes,
  ...timelineRoutes,
  ...queueRoutes,
  ...companyRoutes,
  ...companySearchRoutes,
  ...eventRoutes,
  ...eventNameRoutes,
  ...searchRoutes,
  ...segmentRoutes,
  ...accountRoutes,
  ...debugTokenRoutes,
  ...tagRoutes,
  ...languageRoutes,
  ...changeRoutes,
  ...experienceRoutes,
  ...targetingRoutes,
  ...translationRoutes,
  ...textRoutes,
  ...captureRoutes,
  ...deliveryRoutes,
  ...limitGroupRoutes,
  ...analyzeInteractionRoutes,
  ...responseRoutes,
  ...statsRoutes,
  ...webhookRoutes,
  ...sessionRoutes,
  ...linkRoutes,
  ...adminRoutes,
  ...invitationRoutes,
  ...secretRoutes,
  ...auditRoutes,
  ...healthRoutes,
  ...attentionRoutes,
  ...failingStepRoutes,
  ...liveRoutes,
  ...sampleDataRoutes,
  ...installationRoutes,
  ...pathRoutes,
  ...pickRoutes,
];

/** Every endpoint that pages call, from the browsers of end-users. */
export const pageRoutes: readonly PageRoute[] = [
  ...visitRoutes,
  ...interactionPageRoutes,
  ...eventPageRoutes,
  ...pickPageRoutes,
];

type AppSettings = HttpSettings &
  Pick<
    Settings,
    | 'host'
    | 'explicitPublicUrl'
    | 'operationsPort'
    | 'operationsSecret'
    | 'demo'
    | 'limitPerSecret'
    | 'limitReports'
    | 'limitPerAddress'
    | 'limitWrongSecrets'
    | 'bodyTimeout'
  > & {
    /** The built dashboard, if it is not the one of this installation. */
    dashboard?: string | undefined;
  };

export interface App extends Pick<HttpServer, 'listen' | 'announceStop' | 'close'> {}

export function createApp(app: AppContext, settings: AppSettings, log: Log): App {
  const metrics = new Metrics();
  const perTickDedup = new PerTickDedup();
  const limits = new Limits(settings, app.now, app.group);
  const authenticate = limits.limitAuthentication(createAuthenticate(app, perTickDedup));
  const authenticateSession = limits.limitAuthentication(createAuthenticateSession(app, perTickDedup));
  const requestQueues = new RequestQueues(app.now, settings.bodyTimeout * 1000, settings.requestTimeout, app.group);
  app.activity.countBatches = () => requestQueues.batches.accepted.count;
  const batchThread = new BatchThread(app, requestQueues, log);
  const httpDeps = {
    settings,
    storage: app.storage,
    log,
    metrics,
    perTickDedup,
    noteFailure: (error: unknown) => app.disk.noteFailure(error),
    untrustedProxies: app.untrustedProxies,
  };
  const server = new HttpServer({ ...httpDeps, sharedConnections: app.group?.shareOpen('connections') });
  const processMetrics = new ProcessMetrics();
  const sources = [
    readAppMetrics(app, settings),
    app.counters.read,
    () => server.readMetrics(),
    () => app.storage.readMetrics(),
    readStorageMetrics(app, migrations),
    processMetrics.read,
  ];
  for (const source of sources) metrics.add(source);

  const deps = { app, authenticate, authenticateSession, requestQueues };
  const uploads = createUploads(requestQueues);
  const handlerOf = (route: Route): Handler => {
    if (route.runOpen) return handleOpenRequest(deps, route, route.runOpen);
    if (route.batch) return handleLargeRequest(deps, route, batchThread.bodiesOf(route));
    return route.takesFiles ? handleLargeRequest(deps, route, uploads) : handleRequest(deps, route);
  };
  for (const route of routes) {
    const { methods, path, pathValues, showsSecret } = route;
    server.add(methods, path, handlerOf(route), { pathValues, compress: !showsSecret });
  }
  const pageDeps = { ...deps, limits, reportBudget: new ReportBudget(settings.limitReports, app.now, app.group) };
  for (const route of pageRoutes) {
    server.add(route.methods, route.path, handlePageRequest(route, pageDeps), { anyOrigin: true });
    server.add(['OPTIONS'], route.path, handlePreflight, { anyOrigin: true });
  }
  const scriptFiles = lazyScriptFiles(scriptFolder);
  addScript(server, app, limits, { files: scriptFiles, url: settings.explicitPublicUrl });
  addPreview(server, scriptFiles);
  const [rootRoute] = rootRoutes;
  if (rootRoute) addDashboard(server, settings.dashboard ?? dashboardFolder, handlerOf(rootRoute));
  addDocs(server, docsFolder);
  if (settings.demo) addDemo(server, app, demoFolder);
  const { host, operationsPort, operationsSecret: secret } = settings;
  const operationsServer =
    operationsPort === undefined
      ? server
      : new HttpServer({ ...httpDeps, sharedConnections: app.group?.shareOpen('operations connections') });
  const describe = () => describeApi([...routes, ...pageRoutes], version, settings.publicUrl);
  addOperations({ server, operationsServer, app, metrics, secret, describe });

  const servers = [...new Set([server, operationsServer])];
  return {
    listen: async (at) => {
      if (operationsPort !== undefined) await operationsServer.listen({ host, port: operationsPort });
      return server.listen(at);
    },
    announceStop: () => {
      for (const one of servers) one.announceStop();
    },
    close: async (graceMs) => {
      app.pickStreams.stop();
      app.disk.stop();
      await Promise.all(servers.map((one) => one.close(graceMs)));
      processMetrics.stop();
      await app.testUserMarker.stop();
      await batchThread.stop();
      await app.propertyRegistry.stop();
      await app.pageCounts.stop();
      await app.failedSignIns.flush();
      await app.installationLog.stop();
      await app.visitedPaths.stop();
    },
  };
}
