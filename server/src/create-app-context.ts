import { createIdSource, type Millis } from '@usher/domain';
import type { CertificateState } from './certificates/certificate-state.ts';
import type { Activity, AppContext, PropertyRegistry, Setup, Webhooks } from './context.ts';
import type { Storage } from './db/storage.ts';
import { DiskSpace } from './disk/disk-space.ts';
import { DeletionLog } from './features/audience/deletions/deletion-log.ts';
import { EventQueue } from './features/audience/events/event-queue.ts';
import { ImportQueue } from './features/audience/import-files/import-queue.ts';
import { TestUserMarker } from './features/audience/profiles/test-user-marker.ts';
import { SegmentCounter } from './features/audience/segment-counts/segment-counter.ts';
import { FindingPaths } from './features/delivery/interactions/finding-paths.ts';
import { PageStreams, type StreamLimits } from './features/delivery/streams/page-streams.ts';
import { PickStreams } from './features/experiences/picks/pick-streams.ts';
import { AppCounters } from './features/operations/metrics/app-counters.ts';
import { StepChecks } from './features/results/failing-steps/step-checks.ts';
import { GoalCounter } from './features/results/goals/goal-counter.ts';
import { Passwords } from './features/team/persons/passwords.ts';
import { FailedSignIns } from './features/team/sessions/failed-sign-ins.ts';
import { SignInLimits } from './features/team/sessions/sign-in-limits.ts';
import type { Group } from './group.ts';
import { Downloads } from './http/downloads.ts';
import { UntrustedProxies } from './http/untrusted-proxies.ts';
import type { SecretBox } from './keys/secret-box.ts';
import { InstallationLog } from './pages/installation-log.ts';
import { PageCounts, type Quotas } from './pages/page-counts.ts';
import { PageLoadFailures } from './pages/page-load-failures.ts';
import { VisitedPaths } from './pages/visited-paths.ts';
import { PublishedCache } from './published/published-cache.ts';

const noStreams: StreamLimits = { total: 0, perAccount: 0, perAddress: 0 };
const noQuotas: Quotas = { profiles: 0, hosts: 0, events: 0, problems: 0, responses: 0, bytes: 0 };

export function createAppContext(
  storage: Storage,
  secretBox: SecretBox,
  publicUrl: string,
  createPropertyRegistry: (app: Omit<AppContext, 'propertyRegistry'>) => PropertyRegistry,
  now: () => Millis = Date.now,
  {
    allowNetworks = [],
    denyNetworks = [],
    sourceAddresses = [],
    pageQuotas = noQuotas,
    signInsPerMinute = 0,
    eventsDays = 365,
    hasDemo = false,
    group,
    deletionLogFile,
    minFreeDisk = 0,
    publishedCacheBytes,
    pictureBytes = 0,
    importBytes = 0,
    hasDashboardTour = true,
    setup = undefined,
    pageUrl = publicUrl,
    streams = noStreams,
  }: Partial<
    Webhooks & {
      pageQuotas: Quotas;
      signInsPerMinute: number;
      eventsDays: number;
      hasDemo: boolean;
      group: Group | undefined;
      deletionLogFile: string;
      minFreeDisk: number;
      publishedCacheBytes: number;
      pictureBytes: number;
      importBytes: number;
      hasDashboardTour: boolean;
      setup: Setup | undefined;
      pageUrl: string;
      streams: StreamLimits;
    }
  > = {},
): AppContext {
  const attempts = { sent: 0, failed: 0 };
  const webhooks: Webhooks = { wake: () => {}, allowNetworks, denyNetworks, sourceAddresses, attempts };
  const activity: Activity = {
    startedAt: now(),
    eventsDays,
    lastSweepAt: null,
    countBatches: () => ({ running: 0, waiting: 0 }),
  };
  const publishedCache = new PublishedCache(storage, secretBox, now, publishedCacheBytes);
  const pageCounts = new PageCounts(storage, now, pageQuotas);
  const newId = createIdSource(now);
  const app = {
    storage,
    secretBox,
    publicUrl,
    pageUrl,
    setup,
    untrustedProxies: new UntrustedProxies(),
    hasDemo,
    group,
    now,
    newId,
    publishedCache,
    pictureBytes,
    importBytes,
    importQueue: new ImportQueue(),
    hasDashboardTour,
    pageCounts,
    pageLoadFailures: new PageLoadFailures(now),
    visitedPaths: new VisitedPaths(storage, now),
    installationLog: new InstallationLog(storage, now, newId),
    pickStreams: new PickStreams(group),
    pageStreams: new PageStreams(storage, now, streams, group),
    stepChecks: new StepChecks(),
    findingPaths: new FindingPaths(),
    testUserMarker: new TestUserMarker(storage, now),
    eventQueue: new EventQueue(),
    segmentCounter: new SegmentCounter(),
    goalCounter: new GoalCounter(),
    webhooks,
    downloads: new Downloads(),
    disk: new DiskSpace(storage, minFreeDisk),
    activity,
    counters: new AppCounters(),
    passwords: new Passwords(group),
    signInLimits: new SignInLimits(signInsPerMinute, now, group),
    failedSignIns: new FailedSignIns(storage, now),
    deletionLog: new DeletionLog(deletionLogFile, storage, now),
    backups: { isScheduled: false, last: undefined, lastError: undefined, schedule: undefined },
    exports: { isScheduled: false, last: undefined, lastError: undefined, progress: undefined },
    certificate: { expiresAt: undefined, hasFailed: false } as CertificateState,
  };
  return { ...app, propertyRegistry: createPropertyRegistry(app) };
}
