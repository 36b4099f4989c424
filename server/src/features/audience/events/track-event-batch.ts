import { BatchEventInput, type EventItem, toBatchEventItem } from '@usher/domain';
import { itemReader, runBatch } from '../../../batches/run-batch.ts';
import type { Context } from '../../../context.ts';
import type { BatchItems } from '../../../http/route.ts';
import { findEventPlaces } from './find-event-places.ts';
import { storeEvents } from './store-events.ts';

/** Events take less time than profiles, and every commit about the same time, so a transaction stores more of them. */
const MAX_CHUNK = 1000;
const readItem = itemReader(BatchEventInput, toBatchEventItem);

export function trackEventBatch(ctx: Context, items: BatchItems) {
  const store = (events: EventItem[]) => storeEvents(ctx, events, { integration: 'api', source: 'batch' });
  const findPlaces = (params: unknown[]) => findEventPlaces(ctx, params);
  return runBatch(ctx, items, readItem, store, { maxChunk: MAX_CHUNK, findPlaces });
}
