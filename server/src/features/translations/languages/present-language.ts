import { type Language, timeOfId, toTimestamp } from '@usher/domain';
import type { LanguageRow } from './queries.ts';

export function presentLanguage({ id, updated_at, code }: LanguageRow): Language {
  return { id, created_at: toTimestamp(timeOfId(id)), updated_at: toTimestamp(updated_at), code };
}
