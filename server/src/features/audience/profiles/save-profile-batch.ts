import { ProfileInput, toProfileItem } from '@usher/domain';
import { itemReader, type OnMissing, runBatch } from '../../../batches/run-batch.ts';
import type { Context } from '../../../context.ts';
import type { BatchItems } from '../../../http/route.ts';
import { saveProfiles } from './save-profiles.ts';

const readItem = itemReader(ProfileInput, toProfileItem);

export function saveProfileBatch(ctx: Context, onMissing: OnMissing, items: BatchItems) {
  return runBatch(ctx, items, readItem, (some) => saveProfiles(ctx, some, onMissing, 'api'));
}
