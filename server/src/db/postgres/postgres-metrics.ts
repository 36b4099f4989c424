import { counter, gauge, type Metric } from '../../metrics/metric.ts';
import type { ConnectionUse } from '../storage.ts';

/** @param retried how many transactions ran again */
export function postgresMetrics(
  use: ConnectionUse | null,
  retried: number,
  replica: { ageMs: number | undefined } | undefined,
): Metric[] {
  const { busy = 0, idle = 0, waiting = 0, max = 0 } = use ?? {};
  return [
    gauge(
      'usher_database_connections',
      'Connections of this process: used, idle, the most there can be, and requests that wait for one.',
      {
        label: 'state',
        values: { used: busy, idle, waiting, max },
      },
    ),
    gauge(
      'usher_replica_unused',
      'Whether the replica cannot be used, so that heavy reads use the primary.',
      Number(replica !== undefined && replica.ageMs === undefined),
    ),
    gauge('usher_replica_age_seconds', 'How old the data of the replica is.', (replica?.ageMs ?? 0) / 1000),
    counter('usher_database_transactions_retried_total', 'Transactions that ran again after a conflict.', retried),
  ];
}
