import { apiUntil } from '../api/api.ts';
import * as text from '../messages/text.ts';
import type { FoundRecord } from './use-record-search.ts';

/*
 * This module is loaded with the first search, because it has the texts of the list of Experiences, which other pages
 * do not need.
 */

const MAX_FOUND = 8;
const { kinds, states } = text.experiences;

/** Finds the Experiences with these words in their name, the last changed first. */
export async function searchExperiences(signal: AbortSignal, search: string): Promise<FoundRecord[]> {
  const params = { search, fields: 'list', order: 'updated_at', limit: MAX_FOUND } as const;
  const { experiences } = await apiUntil(signal, 'GET /v3/edit/experiences', params);
  return experiences.map(({ id, name, kind, state, paused_at }) => {
    const shown = state === 'draft' && paused_at !== null ? 'paused' : state;
    return { id, name, description: `${kinds[kind]} · ${states[shown]}` };
  });
}
