import { describeError } from '../api/describe-error.ts';
import { ApiError, CanceledError, ConnectionError, isConflict } from '../api/errors.ts';
import { documentOf, type ShownExperience } from './document.ts';
import type { Base } from './drafts.ts';
import type { Author, SaveResult } from './editor-store.ts';

/** How one record is saved: an Experience or a theme. */
export interface SaveTarget<Shown> {
  /** The person who saves. */
  userId: string;
  /** Sends the changed fields, and returns the record as the server shows it. `isLast`: the page is about to be closed. */
  send(params: Record<string, unknown>, isLast: boolean): Promise<Shown>;
  baseOf(shown: Shown): Base;
  /** The last state of the record that the server returned. */
  onShown(shown: Shown): void;
}

export function baseOf(experience: ShownExperience): Base {
  return { document: documentOf(experience), updated_at: experience.updated_at };
}

/** Sends the changed fields, with the time of the state that they are based on. */
export async function saveDraft<Shown>(
  { userId, send, baseOf, onShown }: SaveTarget<Shown>,
  params: Record<string, unknown>,
  base: Base,
  isLast: boolean,
): Promise<SaveResult> {
  try {
    const shown = await send({ ...params, updated_at: base.updated_at, autosave: true }, isLast);
    onShown(shown);
    return { kind: 'saved', base: baseOf(shown) };
  } catch (error) {
    if (!isConflict(error)) return resultOf(error);
    const { current, changedBy } = error as ApiError;
    if (!current) return resultOf(error);
    onShown(current as Shown);
    return { kind: 'changed', base: baseOf(current as Shown), by: authorOf(changedBy, userId) };
  }
}

/** The author can be the same person, who has the record open in two windows. */
function authorOf(author: ApiError['changedBy'], userId: string): Author | undefined {
  return author ? { name: author.name, isMe: author.id === userId } : undefined;
}

function resultOf(error: unknown): SaveResult {
  if (error instanceof ConnectionError) return { kind: 'unreachable' };
  if (error instanceof CanceledError) return { kind: 'unreachable' };
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 404) return { kind: 'gone' };
  if (error.status >= 500 || error.status === 429) return { kind: 'unreachable' };
  return { kind: 'rejected', message: describeError(error)?.description ?? error.message };
}
