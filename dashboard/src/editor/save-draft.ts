import { type ExperienceKind, pathOfKind } from '@usher/domain';
import { api, type ParamsOf, sendLast } from '../api/api.ts';
import { describeError } from '../api/describe-error.ts';
import { ApiError, CanceledError, ConnectionError, isConflict } from '../api/errors.ts';
import { documentOf, type ShownExperience, shownIn } from './document.ts';
import type { Base } from './drafts.ts';
import type { Author, SaveResult } from './editor-store.ts';

type PatchParams = ParamsOf<'PATCH /v3/edit/{kind}/{id}'>;

interface Target {
  kind: ExperienceKind;
  id: string;
  /** The person who saves. */
  userId: string;
  /** The last state of the document that the server returned. */
  onShown(experience: ShownExperience): void;
}

export function baseOf(experience: ShownExperience): Base {
  return { document: documentOf(experience), updated_at: experience.updated_at };
}

/** Sends the changed fields, with the time of the state that they are based on. */
export async function saveDraft(
  { kind, id, userId, onShown }: Target,
  params: Record<string, unknown>,
  base: Base,
  isLast: boolean,
): Promise<SaveResult> {
  const all = { ...params, kind: pathOfKind(kind), id, updated_at: base.updated_at, autosave: true } as PatchParams;
  try {
    const send = isLast ? sendLast : api;
    const experience = shownIn(await send('PATCH /v3/edit/{kind}/{id}', all), kind);
    onShown(experience);
    return { kind: 'saved', base: baseOf(experience) };
  } catch (error) {
    if (!isConflict(error)) return resultOf(error);
    const { current, changedBy } = error as ApiError;
    if (!current) return resultOf(error);
    onShown(current as ShownExperience);
    return { kind: 'changed', base: baseOf(current as ShownExperience), by: authorOf(changedBy, userId) };
  }
}

/** The author can be the same person, who has the Experience open in two windows. */
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
