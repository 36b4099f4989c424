import type { AppContext } from '../../../context.ts';
import { cachedReading } from '../../../metrics/cached-reading.ts';
import { gauge, type Metric } from '../../../metrics/metric.ts';
import type { MetricSource } from '../../../metrics/metrics.ts';

/**
 * Whether the database responds, and what is read from it. While it does not respond, the rest is left out.
 * @param migrations the names of the migrations that this version has
 */
export function readStorageMetrics({ storage, now }: AppContext, migrations: object): MetricSource {
  // One cheap read shows both whether the database responds and whether webhooks are paused.
  const readPaused = cachedReading(async () => {
    const installation = storage.reader(null).selectFrom('installation').select('name');
    return (await installation.where('name', '=', 'sending_paused').execute()).length > 0;
  }, now);
  const readStatus = cachedReading(() => storage.status(), now);
  const hasNewerSchema = cachedReading(async () => {
    const applied = await storage
      .reader(null)
      .selectFrom('migrations')
      .select('name')
      .where('name', '<>', '')
      .execute();
    return applied.some(({ name }) => !(name in migrations));
  }, now);
  const readOutbox = cachedReading(() => storage.dueWebhooks.count(now()), now);
  const countDisabled = cachedReading(() => storage.dueWebhooks.countDisabled(), now);
  const countLost = cachedReading(async () => (await storage.listUnavailable()).length, now);

  return async () => {
    const [paused, status, newer, lost, outbox, disabled] = await Promise.all([
      readPaused(),
      readStatus(),
      hasNewerSchema(),
      countLost(),
      readOutbox(),
      countDisabled(),
    ]);
    return [
      gauge('usher_database_up', 'Whether the database responds.', Number(paused !== undefined)),
      ...known('usher_sending_paused', 'Whether webhooks are paused.', paused),
      ...known('usher_database_bytes', 'Size of everything that is stored, with indexes.', status?.bytes),
      ...known('usher_schema_newer', 'Whether a newer version of Usher has changed the schema.', newer),
      ...known('usher_database_parts_unavailable', 'Workers of a distributed database that do not respond.', lost),
      ...(outbox ? outboxMetrics(outbox, now()) : []),
      ...known(
        'usher_webhooks_disabled',
        'Webhooks that were disabled because every request to them failed.',
        disabled,
      ),
    ];
  };
}

function known(name: string, help: string, value: number | boolean | undefined): Metric[] {
  return value === undefined ? [] : [gauge(name, help, Number(value))];
}

interface Outbox {
  due: number;
  waiting: number;
  oldest: number | null;
}

function outboxMetrics({ due, waiting, oldest }: Outbox, now: number): Metric[] {
  const oldestSeconds = Math.max(0, now - Number(oldest ?? now)) / 1000;
  return [
    gauge('usher_webhook_items', 'Items to be sent to enabled webhooks.', {
      label: 'state',
      values: { due: Number(due), waiting: Number(waiting) },
    }),
    gauge('usher_webhook_oldest_due_seconds', 'Time since the oldest unsent item became due.', oldestSeconds),
  ];
}
