import type { Document } from '../content/experience.ts';
import { diffDocuments } from './diff.ts';

/** Whether the draft has changes that users do not see yet. Some fields take effect without publishing, and Tags never do. */
export function hasUnpublishedChanges(id: string, published: Document, draft: Document): boolean {
  const { position, tag_ids, published_at, published_until, archived_at } = draft;
  const comparable = { ...published, position, tag_ids, published_at, published_until, archived_at };
  return diffDocuments(id, comparable, draft).length > 0;
}
