import { type ExperienceKind, pathOfKind } from '@usher/domain';
import { api, sendLast } from '../../../api/api.ts';
import { describeError, plainMessage } from '../../../api/describe-error.ts';
import { ApiError, CanceledError, ConnectionError, isConflict } from '../../../api/errors.ts';
import type { WriteResult, WrittenText } from './translation-store.ts';

/** Sends translations into one language. The server writes all of them or none. */
export async function writeTranslations(
  experience: { kind: ExperienceKind; id: string },
  language: string,
  texts: WrittenText[],
  isLast: boolean,
): Promise<WriteResult> {
  const place = { kind: pathOfKind(experience.kind), id: experience.id };
  try {
    const operation = 'PATCH /v3/edit/{kind}/{id}/translations';
    const params = { ...place, language, texts };
    const { translations } = await (isLast ? sendLast(operation, params) : api(operation, params));
    return { kind: 'saved', shown: translations };
  } catch (error) {
    if (!isConflict(error)) return resultOf(error);
    return api('GET /v3/edit/{kind}/{id}/translations', place).then(
      ({ translations }): WriteResult => ({ kind: 'changed', shown: translations }),
      resultOf,
    );
  }
}

function resultOf(error: unknown): WriteResult {
  if (error instanceof ConnectionError || error instanceof CanceledError) return { kind: 'unreachable' };
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 404) return { kind: 'gone' };
  if (error.status >= 500 || error.status === 429) return { kind: 'unreachable' };
  const message = describeError(error)?.description ?? error.message;
  return { kind: 'rejected', problems: readProblems(error.messages), message };
}

/** The messages by the index of their text: `texts[1].text` is about the second one. */
export function readProblems(messages: readonly string[]): Map<number, string> {
  const problems = new Map<number, string>();
  for (const message of messages) {
    const [, index, rest = ''] = /^`texts[[.](\d+)\]?[\w.]*` (.*)$/s.exec(message) ?? [];
    if (index !== undefined && !problems.has(Number(index)))
      problems.set(Number(index), plainMessage(`${rest.charAt(0).toUpperCase()}${rest.slice(1)}`));
  }
  return problems;
}
