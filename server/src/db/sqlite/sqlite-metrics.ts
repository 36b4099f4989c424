import { stat } from 'node:fs/promises';
import { counter, gauge, type Metric } from '../../metrics/metric.ts';
import { heavyReadMetric, type Turns } from '../turns.ts';
import type { WriteQueue } from './write-queue.ts';

export async function readSqliteMetrics(file: string, queue: WriteQueue, turns: Turns): Promise<Metric[]> {
  const { waiting, waitedMs, transactions, transactionMs } = queue.load;
  const wal = await stat(`${file}-wal`).catch(() => undefined);
  return [
    heavyReadMetric(turns.count),
    gauge('usher_write_queue_length', 'Writes that wait for the next transaction.', waiting),
    gauge('usher_write_queue_wait_seconds', 'How long the first of them has been waiting.', waitedMs / 1000),
    counter('usher_write_transactions_total', 'Transactions, each with all writes that waited.', transactions),
    counter('usher_write_transaction_seconds_total', 'Time that these transactions took.', transactionMs / 1000),
    gauge(
      'usher_database_wal_bytes',
      'Size of the write-ahead log, which is also in the size of the database.',
      wal?.size ?? 0,
    ),
  ];
}
