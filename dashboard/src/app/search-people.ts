import { apiUntil } from '../api/api.ts';
import type { FoundRecord } from './use-record-search.ts';

const MAX_FOUND = 5;

/** Finds the people whose uid or email begins with these words, or whose name contains them, the newest first. */
export async function searchPeople(signal: AbortSignal, words: string): Promise<FoundRecord[]> {
  const params = { text: words, limit: MAX_FOUND };
  const { profiles } = await apiUntil(signal, 'POST /v3/edit/profiles/search', params);
  return profiles.map(({ id, uid, email, name }) => {
    const [shown = uid, ...others] = [name, email, uid].filter((one) => one !== null);
    return { id, name: shown, description: others.join(' · ') };
  });
}
