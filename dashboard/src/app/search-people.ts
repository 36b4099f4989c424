import { apiUntil } from '../api/api.ts';
import type { FoundRecord } from './use-record-search.ts';

const MAX_FOUND = 5;

/** The people whose uid or email begins with this, or whose name contains it, the newest first. */
export async function searchPeople(signal: AbortSignal, words: string): Promise<FoundRecord[]> {
  const params = { text: words, limit: MAX_FOUND };
  const { profiles } = await apiUntil(signal, 'POST /v3/edit/profiles/search', params);
  return profiles.map(({ id, uid, email, name }) => {
    const [shown = uid, ...others] = [name, email, uid].filter((one) => one !== null);
    return { id, name: shown, description: others.join(' · ') };
  });
}
