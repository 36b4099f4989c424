import { counter, gauge, type Metric } from '../../metrics/metric.ts';
import type { ConnectionUse } from '../storage.ts';

/** @param retried how many transactions ran again */
export function postgresMetrics(use: ConnectionUse | null, retried: number): Metric[] {
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
    counter('usher_database_transactions_retried_total', 'Transactions that ran again after a conflict.', retried),
  ];
}
