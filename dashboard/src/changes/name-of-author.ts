import type { Author } from '../editor/editor-store.ts';
import * as text from '../messages/text.ts';

/** The person who has changed the same Experience, as the beginning of a sentence. */
export function nameOfAuthor(author: Author | undefined): string {
  const { someone, you } = text.editor.merged;
  return author?.isMe ? you : (author?.name ?? someone);
}
