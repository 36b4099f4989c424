import { type Tag, timeOfId, toTimestamp } from '@usher/domain';
import type { TagRow } from './queries.ts';

export function presentTag({ id, updated_at, uid, name }: TagRow): Tag {
  return { id, created_at: toTimestamp(timeOfId(id)), updated_at: toTimestamp(updated_at), uid, name };
}
