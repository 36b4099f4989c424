import { BatchThread } from './batches/batch-thread.ts';
import { findChallenge } from './certificates/challenges.ts';
import type { AppContext } from './context.ts';
import { migrations } from './db/migrations/index.ts';
import { ExportScheduler } from './exports/export-scheduler.ts';
import { companyRoutes } from './features/audience/companies/routes.ts';
import { companySearchRoutes } from './features/audience/company-search/routes.ts';
import { customEventRoutes } from './features/audience/custom-events/routes.ts';
import { eventNameRoutes } from './features/audience/event-names/routes.ts';
import { eventPageRoutes } from './features/audience/events/page-routes.ts';
import { eventRoutes } from './features/audience/events/routes.ts';
import { ImportRunner } from './features/audience/import-runs/import-runner.ts';
import { importRoutes } from './features/audience/imports/routes.ts';
import { nameRoutes } from './features/audience/names/routes.ts';
import { profileDetailsRoutes } from './features/audience/profile-details/routes.ts';
import { profileExportRoutes } from './features/audience/profile-export/routes.ts';
import { profileSearchRoutes } from './features/audience/profile-search/routes.ts';
import { profileSegmentRoutes } from './features/audience/profile-segments/routes.ts';
import { profileRoutes } from './features/audience/profiles/routes.ts';
import { propertyRoutes } from './features/audience/properties/routes.ts';
import { segmentRoutes } from './features/audience/segments/routes.ts';
import { alertGroupRoutes } from './features/delivery/alert-groups/routes.ts';
import { debugTokenRoutes } from './features/delivery/debug-tokens/routes.ts';
import { deliveryRoutes } from './features/delivery/deliveries/routes.ts';
import { experimentRoutes } from './features/delivery/experiments/routes.ts';
import { groupExperienceRoutes } from './features/delivery/group-experiences/routes.ts';
import { analyzeInteractionRoutes } from './features/delivery/interactions/analyze-routes.ts';
import { interactionPageRoutes } from './features/delivery/interactions/page-routes.ts';
import { limitGroupRoutes } from './features/delivery/limit-groups/routes.ts';
import { queueRoutes } from './features/delivery/queue/routes.ts';
import { streamRoutes } from './features/delivery/streams/routes.ts';
import { surveyPageRoutes } from './features/delivery/survey-pages/routes.ts';
import { addSurveyPages } from './features/delivery/survey-pages/serve-survey-pages.ts';
import { targetingRoutes } from './features/delivery/targeting/routes.ts';
import { visitRoutes } from './features/delivery/visits/routes.ts';
import { captureRoutes } from './features/experiences/captures/routes.ts';
import { changeRoutes } from './features/experiences/changes/routes.ts';
import { createFileRoutes } from './features/experiences/files/routes.ts';
import { goalRoutes } from './features/experiences/goals/routes.ts';
import { pathRoutes } from './features/experiences/paths/routes.ts';
import { pickPageRoutes } from './features/experiences/picks/page-routes.ts';
import { pickRoutes } from './features/experiences/picks/routes.ts';
import { pictureRoutes } from './features/experiences/pictures/routes.ts';
import { proposalRoutes } from './features/experiences/proposals/routes.ts';
import { experienceRoutes } from './features/experiences/routes.ts';
import { tagRoutes } from './features/experiences/tags/routes.ts';
import { themeRoutes } from './features/experiences/themes/routes.ts';
import { installationRoutes } from './features/install/installation/routes.ts';
import { moveRoutes } from './features/install/moves/routes.ts';
import { sampleDataRoutes } from './features/install/sample-data/routes.ts';
import { urlGroupRoutes } from './features/install/url-groups/routes.ts';
import { urlRoutes } from './features/install/urls/routes.ts';
import { attentionRoutes } from './features/operations/attention/routes.ts';
import { backupRoutes } from './features/operations/backups/routes.ts';
import { healthRoutes } from './features/operations/health/routes.ts';
import { readAppMetrics } from './features/operations/metrics/app-metrics.ts';
import { readStorageMetrics } from './features/operations/metrics/storage-metrics.ts';
import { searchRoutes } from './features/operations/searches/routes.ts';
import { unusedRoutes } from './features/operations/unused/routes.ts';
import { adoptionRoutes } from './features/results/adoption/routes.ts';
import { eventCountRoutes } from './features/results/event-counts/routes.ts';
import { experimentResultRoutes } from './features/results/experiments/routes.ts';
import { failingStepRoutes } from './features/results/failing-steps/routes.ts';
import { funnelRoutes } from './features/results/funnels/routes.ts';
import { goalResultRoutes } from './features/results/goals/routes.ts';
import { interruptionRoutes } from './features/results/interruptions/routes.ts';
import { liveRoutes } from './features/results/live/routes.ts';
import { newsRoutes } from './features/results/news/routes.ts';
import { resultPeopleRoutes } from './features/results/people/routes.ts';
import { reachRoutes } from './features/results/reach/routes.ts';
import { reportRoutes } from './features/results/reports/routes.ts';
import { responseRoutes } from './features/results/responses/routes.ts';
import { statsRoutes } from './features/results/stats/routes.ts';
import { timelineRoutes } from './features/results/timeline/routes.ts';
import { createAuthenticate } from './features/team/accounts/authenticate.ts';
import { accountRoutes } from './features/team/accounts/routes.ts';
import { adminRoutes } from './features/team/admins/routes.ts';
import { auditRoutes } from './features/team/audit/routes.ts';
import { invitationRoutes } from './features/team/links/invitation-routes.ts';
import { linkRoutes } from './features/team/links/routes.ts';
import { rootRoutes } from './features/team/root/routes.ts';
import { secretRoutes } from './features/team/secrets/routes.ts';
import { createAuthenticateSession } from './features/team/sessions/authenticate-session.ts';
import { sessionRoutes } from './features/team/sessions/routes.ts';
import { languageRoutes } from './features/translations/languages/routes.ts';
import { translationRoutes } from './features/translations/routes.ts';
import { textRoutes } from './features/translations/text-routes.ts';
import { dashboardFolder, demoFolder, docsFolder, scriptFolder } from './folders.ts';
import { showCreatedBy } from './http/created-record.ts';
import type { Handler } from './http/endpoint.ts';
import { handleLargeRequest, handleOpenRequest, handleRequest } from './http/handle-request.ts';
import { Limits } from './http/limits.ts';
import { describeApi, isForPersons } from './http/openapi.ts';
import { addOperations } from './http/operations.ts';
import { PerTickDedup } from './http/per-tick-dedup.ts';
import { readResponses } from './http/recorded-responses.ts';
import { RequestQueues } from './http/request-queues.ts';
import type { Route } from './http/route.ts';
import { HttpServer, type HttpSettings } from './http/server.ts';
import { createUploads } from './http/upload.ts';
import type { Log } from './log/log.ts';
import { addMcp } from './mcp/serve-mcp.ts';
import { Metrics } from './metrics/metrics.ts';
import { ProcessMetrics } from './metrics/process-metrics.ts';
import { handlePageRequest, handlePreflight } from './pages/handle-page-request.ts';
import type { PageRoute } from './pages/page-route.ts';
import { ReportBudget } from './pages/report-budget.ts';
import { lazyScriptFiles } from './pages/script-files.ts';
import { addDashboard } from './pages/serve-dashboard.ts';
import { addDemo } from './pages/serve-demo.ts';
import { addDocs } from './pages/serve-docs.ts';
import { addMedia } from './pages/serve-media.ts';
import { addPreview } from './pages/serve-preview.ts';
import { addScript } from './pages/serve-script.ts';
import type { Settings } from './settings/settings.ts';
import { version } from './settings/version.ts';
import { webhookRoutes } from './webhooks/api/routes.ts';
import { isSendingPaused } from './webhooks/sending/paused.ts';

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
  ...customEventRoutes,
  ...eventCountRoutes,
  ...adoptionRoutes,
  ...reachRoutes,
  ...reportRoutes,
  ...searchRoutes,
  ...segmentRoutes,
  ...importRoutes,
  ...accountRoutes,
  ...debugTokenRoutes,
  ...tagRoutes,
  ...themeRoutes,
  ...languageRoutes,
  ...changeRoutes,
  ...experienceRoutes,
  ...proposalRoutes,
  ...targetingRoutes,
  ...translationRoutes,
  ...textRoutes,
  ...captureRoutes,
  ...pictureRoutes,
  ...deliveryRoutes,
  ...surveyPageRoutes,
  ...goalRoutes,
  ...funnelRoutes,
  ...goalResultRoutes,
  ...experimentRoutes,
  ...limitGroupRoutes,
  ...alertGroupRoutes,
  ...groupExperienceRoutes,
  ...analyzeInteractionRoutes,
  ...responseRoutes,
  ...experimentResultRoutes,
  ...statsRoutes,
  ...interruptionRoutes,
  ...resultPeopleRoutes,
  ...webhookRoutes,
  ...sessionRoutes,
  ...linkRoutes,
  ...adminRoutes,
  ...invitationRoutes,
  ...secretRoutes,
  ...auditRoutes,
  ...healthRoutes,
  ...backupRoutes,
  ...attentionRoutes,
  ...newsRoutes,
  ...unusedRoutes,
  ...failingStepRoutes,
  ...liveRoutes,
  ...moveRoutes,
  ...sampleDataRoutes,
  ...installationRoutes,
  ...pathRoutes,
  ...pickRoutes,
  ...createFileRoutes(() => routes),
];

/** Every endpoint that pages call, from the browsers of end-users. */
export const pageRoutes: readonly PageRoute[] = [
  ...visitRoutes,
  ...interactionPageRoutes,
  ...eventPageRoutes,
  ...streamRoutes,
  ...pickPageRoutes,
];

type AppSettings = HttpSettings &
  Pick<
    Settings,
    | 'operationsHost'
    | 'explicitPublicUrl'
    | 'explicitPageUrl'
    | 'scriptAliases'
    | 'operationsPort'
    | 'operationsSecret'
    | 'demo'
    | 'limitPerSecret'
    | 'limitReports'
    | 'limitPerAddress'
    | 'limitWrongSecrets'
    | 'bodyTimeout'
    | 'export'
    | 's3'
    | 'data'
  > & {
    /** The built dashboard, if it is not the one of this installation. */
    dashboard?: string | undefined;
  };

export interface App extends Pick<HttpServer, 'listen' | 'announceStop' | 'close' | 'useCertificate'> {}

export function createApp(app: AppContext, settings: AppSettings, log: Log): App {
  const metrics = new Metrics();
  const perTickDedup = new PerTickDedup();
  const limits = new Limits(settings, app.now, app.group);
  const authenticate = limits.limitAuthentication(createAuthenticate(app, perTickDedup));
  const authenticateSession = limits.limitAuthentication(createAuthenticateSession(app, perTickDedup));
  const requestQueues = new RequestQueues(app.now, settings.bodyTimeout * 1000, settings.requestTimeout, app.group);
  app.activity.countBatches = () => requestQueues.batches.accepted.count;
  const batchThread = new BatchThread(app, requestQueues, log);
  const importRunner = new ImportRunner(app, batchThread, requestQueues.requestActivity, (err) =>
    log.warn({ err }, 'an import was interrupted, and is tried again'),
  );
  app.goalCounter.onError = (err) => log.warn({ err }, 'goals could not be counted, and the next request tries again');
  app.segmentCounter.onError = (err) =>
    log.warn({ err }, 'Segments could not be counted, and the next request tries again');
  const exports =
    settings.export &&
    new ExportScheduler({
      ...{ app, thread: batchThread, log, isPaused: () => isSendingPaused(app.storage) },
      target: { export: settings.export, s3: settings.s3, data: settings.data },
    });
  const httpDeps = {
    settings,
    storage: app.storage,
    log,
    metrics,
    perTickDedup,
    noteFailure: (error: unknown) => app.disk.noteFailure(error),
    untrustedProxies: app.untrustedProxies,
  };
  const server = new HttpServer({
    ...httpDeps,
    sharedConnections: app.group?.shareOpen('connections'),
    findChallenge: (token) => findChallenge(app.storage, token),
  });
  const processMetrics = new ProcessMetrics();
  const sources = [
    readAppMetrics(app, settings),
    app.counters.read,
    app.pageStreams.readMetrics,
    () => server.readMetrics(),
    () => app.storage.readMetrics(),
    readStorageMetrics(app, migrations),
    processMetrics.read,
  ];
  for (const source of sources) metrics.add(source);

  const deps = { app, authenticate, authenticateSession, requestQueues };
  const uploads = createUploads(requestQueues);
  const uploadsOf = ({ maxFileBytes }: Route) =>
    maxFileBytes === undefined ? uploads : createUploads(requestQueues, maxFileBytes);
  const handlerOf = (route: Route): Handler => {
    if (route.runOpen) return handleOpenRequest(deps, route, route.runOpen);
    if (route.batch) return handleLargeRequest(deps, route, batchThread.bodiesOf(route));
    return route.takesFiles
      ? handleLargeRequest(deps, route, uploadsOf(route))
      : handleRequest(deps, route, showCreatedBy(route, routes));
  };
  for (const route of routes) {
    const { methods, path, pathValues, showsSecret } = route;
    server.add(methods, path, handlerOf(route), { pathValues, compress: !showsSecret });
  }
  addMcp(server, { app, authenticate, routes, handlerOf, bodyTimeout: settings.bodyTimeout * 1000, log });
  const pageDeps = { ...deps, limits, reportBudget: new ReportBudget(settings.limitReports, app.now, app.group) };
  for (const route of pageRoutes) {
    const options = { anyOrigin: true, isForPages: true, isPageLoad: route.logsAs === 'identify' };
    server.add(route.methods, route.path, handlePageRequest(route, pageDeps), options);
    server.add(['OPTIONS'], route.path, handlePreflight(route), options);
  }
  const scriptFiles = lazyScriptFiles(scriptFolder);
  addScript(server, app, limits, {
    files: scriptFiles,
    // Pages that were not changed yet keep the address that their content security policy allows.
    url: (settings.basePath === '' ? settings.explicitPageUrl : undefined) ?? settings.explicitPublicUrl,
    aliases: settings.scriptAliases,
  });
  addPreview(server, scriptFiles);
  const { reportBudget } = pageDeps;
  const bodyTimeout = settings.bodyTimeout * 1000;
  addSurveyPages(server, { app, limits, reportBudget, bodyTimeout, files: scriptFiles });
  addMedia(server, app, limits);
  const [rootRoute] = rootRoutes;
  if (rootRoute) addDashboard(server, settings.dashboard ?? dashboardFolder, handlerOf(rootRoute));
  addDocs(server, docsFolder, settings.publicUrl);
  if (settings.demo) addDemo(server, app, demoFolder);
  const { operationsHost, operationsPort, operationsSecret: secret } = settings;
  const operationsServer =
    operationsPort === undefined
      ? server
      : new HttpServer({
          ...httpDeps,
          settings: { ...settings, certificates: undefined },
          sharedConnections: app.group?.shareOpen('operations connections'),
        });
  const describing = { version, serverUrl: settings.publicUrl };
  const documents = {
    '/openapi.json': async () =>
      describeApi([...routes.filter((route) => !isForPersons(route)), ...pageRoutes], {
        ...describing,
        responses: await readResponses(docsFolder),
      }),
    '/openapi-dashboard.json': async () => describeApi(routes.filter(isForPersons), describing),
  };
  addOperations({ server, operationsServer, app, metrics, secret, documents });

  const servers = [...new Set([server, operationsServer])];
  return {
    listen: async (at) => {
      if (operationsPort !== undefined) await operationsServer.listen({ host: operationsHost, port: operationsPort });
      const address = await server.listen(at);
      importRunner.start();
      exports?.start();
      return address;
    },
    useCertificate: (certificate) => server.useCertificate(certificate),
    announceStop: () => {
      // The pages connect to another node.
      app.pageStreams.stop();
      for (const one of servers) one.announceStop();
    },
    close: async (graceMs) => {
      app.pickStreams.stop();
      app.pageStreams.stop();
      app.disk.stop();
      await Promise.all(servers.map((one) => one.close(graceMs)));
      processMetrics.stop();
      await app.testUserMarker.stop();
      await app.segmentCounter.stop();
      await app.goalCounter.stop();
      await importRunner.stop();
      await exports?.stop();
      await batchThread.stop();
      await app.propertyRegistry.stop();
      await app.pageCounts.stop();
      await app.failedSignIns.flush();
      await app.installationLog.stop();
      await app.visitedPaths.stop();
    },
  };
}
