import { X509Certificate } from 'node:crypto';
import type { AppContext } from '../../../context.ts';
import { counter, gauge, info, type Metric } from '../../../metrics/metric.ts';
import type { MetricSource } from '../../../metrics/metrics.ts';
import { version } from '../../../settings/version.ts';

/** The metrics of the server itself and of its background work. All of them are read from memory. */
export function readAppMetrics(app: AppContext, { tls }: { tls: { cert: Buffer } | undefined }): MetricSource {
  const { webhooks, activity, storage, disk, backups, exports, pageLoadFailures, publishedCache } = app;
  const engine = 'databaseUrl' in storage.address ? 'postgres' : 'sqlite';
  const build = info('usher_build_info', 'The versions of this server.', {
    version,
    node: process.versions.node,
    engine,
  });
  const ownExpiry = tls && Date.parse(new X509Certificate(tls.cert).validTo);
  return () => [
    build,
    ...certificateMetrics(ownExpiry ?? app.certificate.expiresAt),
    gauge(
      'usher_certificate_failed',
      'Whether the latest order of a certificate failed.',
      Number(app.certificate.hasFailed),
    ),
    ...backupMetrics(backups),
    ...exportMetrics(exports),
    gauge('usher_batches', 'Batches that were accepted, and batches that wait for that.', {
      label: 'state',
      values: activity.countBatches(),
    }),
    gauge(
      'usher_page_loads_failing_accounts',
      'Accounts whose page loads have all failed for a while.',
      pageLoadFailures.countAccounts(),
    ),
    gauge('usher_published_cache_bytes', 'About how much memory published content takes.', publishedCache.bytes),
    gauge('usher_published_cache_accounts', 'Accounts whose published content is in memory.', publishedCache.size),
    counter('usher_webhook_attempts_total', 'Requests to webhooks.', { label: 'outcome', values: webhooks.attempts }),
    ...(disk.freeBytes === null
      ? []
      : [gauge('usher_disk_free_bytes', 'Free space where the database is.', disk.freeBytes)]),
    gauge(
      'usher_disk_nearly_full',
      'Whether what would grow the data is rejected, because the disk is nearly full.',
      Number(disk.isNearlyFull && !disk.isReadOnly),
    ),
    ...timeMetric(
      'usher_sweep_last_success_timestamp_seconds',
      'When old records were last removed.',
      activity.lastSweepAt,
    ),
  ];
}

function backupMetrics({ isScheduled, last, lastError }: AppContext['backups']): Metric[] {
  return [
    gauge('usher_backup_scheduled', 'Whether this process makes backups.', Number(isScheduled)),
    gauge('usher_backup_failed', 'Whether the latest backup failed.', Number(lastError !== undefined)),
    ...timeMetric('usher_backup_last_success_timestamp_seconds', 'When the latest backup was made.', last?.at ?? null),
    ...(last ? [gauge('usher_backup_last_bytes', 'Size of that backup.', last.bytes)] : []),
  ];
}

function exportMetrics({ isScheduled, last, lastError, progress }: AppContext['exports']): Metric[] {
  return [
    gauge('usher_export_scheduled', 'Whether this process exports rows for a warehouse.', Number(isScheduled)),
    gauge('usher_export_failed', 'Whether the latest export failed.', Number(lastError !== undefined)),
    gauge('usher_export_running', 'Whether a node exports now.', Number(progress !== undefined)),
    ...timeMetric('usher_export_last_success_timestamp_seconds', 'When rows were last exported.', last?.at ?? null),
    ...(last ? [gauge('usher_export_last_rows', 'How many rows that export had.', last.rows)] : []),
  ];
}

/** The metric of a time; none as long as the event has not happened. */
function timeMetric(name: string, help: string, at: number | null): Metric[] {
  return at === null ? [] : [gauge(name, `${help.slice(0, -1)}, in seconds since 1970.`, at / 1000)];
}

function certificateMetrics(expiresAt: number | undefined): Metric[] {
  return timeMetric(
    'usher_certificate_expiry_timestamp_seconds',
    'When the certificate of the server expires.',
    expiresAt ?? null,
  );
}
