import { type Health, healthCheckNames, type Millis, toTimestamp, toTimestampOrNull, worstState } from '@usher/domain';
import type { AppContext, Context } from '../../../context.ts';
import { migrations } from '../../../db/migrations/index.ts';
import { inspectPageUrl, inspectUrl, type UrlFacts } from '../../../http/inspect-url.ts';
import { version } from '../../../settings/version.ts';
import { findSendingPause } from '../../../webhooks/sending/paused.ts';
import { checkHealth } from './check-health.ts';
import { checkSetup } from './check-setup.ts';
import { collectFacts } from './collect-facts.ts';

/** What the slow checks found last on this server. */
interface SlowFindings {
  at: Millis;
  url: UrlFacts;
  page: UrlFacts | undefined;
  integrity: string | null;
}
const slowFindings = new WeakMap<AppContext, SlowFindings>();
/** Checking a larger file takes minutes, so only `usher doctor` does it. */
const MAX_CHECKED_BYTES = 2_000_000_000;

/** With `full`, the public URL and the file are checked now. Otherwise the last findings are shown. */
export async function showHealth({ app, now }: Context, full = false): Promise<Health> {
  const { storage, activity, backups, exports, setup } = app;
  const [status, applied, items, pause, found, disk] = await Promise.all([
    storage.status(),
    storage.appliedMigrations(),
    storage.dueWebhooks.count(now()),
    findSendingPause(storage),
    storage.inspect({ now: now(), thorough: false }),
    storage.readDisk(),
  ]);
  const slow = full ? await runSlowChecks(app, now(), status.bytes) : slowFindings.get(app);
  const values: Omit<Health, 'checks' | 'state'> = {
    version,
    node_version: process.versions.node,
    started_at: toTimestamp(activity.startedAt),
    engine: status.engine,
    engine_version: status.version,
    schema_version: applied.at(-1) ?? '',
    database_bytes: status.bytes,
    free_disk_bytes: status.freeDiskBytes,
    connections: status.connections,
    webhook_items: {
      due: Number(items.due),
      waiting: Number(items.waiting),
      oldest_due_at: toTimestampOrNull(items.oldest === null ? null : Number(items.oldest)),
    },
    batches: activity.countBatches(),
    last_sweep_at: toTimestampOrNull(activity.lastSweepAt),
    events_days: activity.eventsDays,
    sending_paused: pause ? { reason: pause.reason, paused_at: toTimestamp(pause.at) } : null,
    backups: {
      is_scheduled: backups.isScheduled,
      last_at: toTimestampOrNull(backups.last?.at ?? null),
      last_bytes: backups.last?.bytes ?? null,
      failed_at: toTimestampOrNull(backups.lastError?.at ?? null),
    },
    exports: {
      is_scheduled: exports.isScheduled,
      last_at: toTimestampOrNull(exports.last?.at ?? null),
      last_rows: exports.last?.rows ?? null,
      failed_at: toTimestampOrNull(exports.lastError?.at ?? null),
      progress: exports.progress ?? null,
    },
    untrusted_proxies: app.untrustedProxies.list(),
    slow_checks_at: toTimestampOrNull(slow?.at ?? null),
  };
  const hasNewerSchema = applied.some((name) => !(name in migrations));
  const checks = checkHealth(values, {
    now: now(),
    hasNewerSchema,
    isDiskNearlyFull: app.disk.isNearlyFull && !app.disk.isReadOnly,
    isInUse: setup?.explicitPublicUrl !== undefined,
    backupIntervalMs: setup?.backup?.everyMs,
    exportIntervalMs: setup?.export?.everyMs,
    failingAccounts: app.pageLoadFailures.countAccounts(),
  });
  if (setup) {
    const facts = collectFacts(setup, now());
    const database = { ...found, integrity: slow?.integrity ?? null };
    const untrustedProxies = values.untrusted_proxies;
    const { url, page } = slow ?? {};
    checks.push(...checkSetup({ ...facts, storage: status, database, disk, untrustedProxies, url, page }));
  }
  checks.sort((one, other) => healthCheckNames.indexOf(one.name) - healthCheckNames.indexOf(other.name));
  return { state: worstState(checks), ...values, checks };
}

async function runSlowChecks(app: AppContext, now: Millis, fileBytes: number): Promise<SlowFindings> {
  const { setup, storage } = app;
  const thorough = fileBytes < MAX_CHECKED_BYTES;
  const [url, page, { integrity }] = await Promise.all([
    setup ? inspectUrl(setup.publicUrl, setup.installationId) : {},
    setup && inspectPageUrl(setup, setup.installationId),
    storage.inspect({ now, thorough }),
  ]);
  const found = { at: now, url, page, integrity };
  slowFindings.set(app, found);
  return found;
}
