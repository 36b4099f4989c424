import { BatchEventInput, createPastIds, toBatchEventItem } from '@usher/domain';
import { itemReader, runBatch } from '../../../batches/run-batch.ts';
import type { Context } from '../../../context.ts';
import type { BatchItems } from '../../../http/route.ts';
import { storeEvents } from './store-events.ts';

const readItem = itemReader(BatchEventInput, toBatchEventItem);

export function trackEventBatch(ctx: Context, items: BatchItems) {
  const idAt = createPastIds();
  return runBatch(ctx, items, readItem, (events) => storeEvents(ctx, events, { integration: 'api' }, idAt));
}
