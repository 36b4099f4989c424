import { type Health, toTimestamp, toTimestampOrNull } from '@usher/domain';
import type { Context } from '../../context.ts';
import { migrations } from '../../db/migrations/index.ts';
import { version } from '../../version.ts';
import { findSendingPause } from '../../webhooks/sending/paused.ts';
import { checkHealth } from './check-health.ts';

export async function showHealth({ app, now }: Context): Promise<Health> {
  const { storage, activity, backups } = app;
  const [status, applied, items, pause] = await Promise.all([
    storage.status(),
    storage.reader(null).selectFrom('migrations').select('name').where('name', '<>', '').orderBy('name').execute(),
    storage.dueWebhooks.count(now()),
    findSendingPause(storage),
  ]);
  const values: Omit<Health, 'checks' | 'state'> = {
    version,
    node_version: process.versions.node,
    started_at: toTimestamp(activity.startedAt),
    engine: status.engine,
    engine_version: status.version,
    schema_version: applied.at(-1)?.name ?? '',
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
  };
  const hasNewerSchema = applied.some(({ name }) => !(name in migrations));
  const checks = checkHealth(values, { now: now(), hasNewerSchema });
  return { state: checks.some(({ state }) => state === 'attention') ? 'attention' : 'good', ...values, checks };
}
