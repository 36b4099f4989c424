import { type ExperienceKind, pathOfKind } from '@usher/domain';
import { api, type ParamsOf, sendLast } from '../api/api.ts';
import { describeError } from '../api/describe-error.ts';
import { ApiError, CanceledError, ConnectionError, isConflict } from '../api/errors.ts';
import { documentOf, type ShownExperience, shownIn } from './document.ts';
import type { Base } from './drafts.ts';
import type { SaveResult } from './editor-store.ts';

type PatchParams = ParamsOf<'PATCH /v3/edit/{kind}/{id}'>;

interface Target {
  kind: ExperienceKind;
  id: string;
  /** What the server has shown last. */
  onShown(experience: ShownExperience): void;
}

export function baseOf(experience: ShownExperience): Base {
  return { document: documentOf(experience), updated_at: experience.updated_at };
}

/** Sends what has changed, with the state that it is based on. */
export async function saveDraft(
  { kind, id, onShown }: Target,
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
    if (isConflict(error)) return loadCurrent(id, onShown, authorOf(error as ApiError));
    return resultOf(error);
  }
}

async function loadCurrent(id: string, onShown: Target['onShown'], by: string | undefined): Promise<SaveResult> {
  try {
    const { experience } = await api('GET /v3/edit/experiences/{id}', { id });
    onShown(experience);
    return { kind: 'changed', base: baseOf(experience), by };
  } catch (error) {
    return resultOf(error);
  }
}

/** The message begins with the name and the email of who has changed it. */
function authorOf({ messages: [message = ''] }: ApiError): string | undefined {
  return /^(.+) \(\S+@\S+\) changed this/.exec(message)?.[1];
}

function resultOf(error: unknown): SaveResult {
  if (error instanceof ConnectionError) return { kind: 'unreachable' };
  if (error instanceof CanceledError) return { kind: 'unreachable' };
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 404) return { kind: 'gone' };
  if (error.status >= 500 || error.status === 429) return { kind: 'unreachable' };
  return { kind: 'rejected', message: describeError(error)?.description ?? error.message };
}
