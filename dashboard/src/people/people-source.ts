import { apiUntil, type ParamsOf, type ResponseOf } from '../api/api.ts';
import { keyOf } from '../api/nouns.ts';
import type { FilterSet } from '../filters/filter-set.ts';
import type { ListSource } from '../lists/use-paged-list.ts';

const OPERATION = 'POST /v3/edit/profiles/search';
const PAGE_SIZE = 100;

export type PersonSummary = ResponseOf<typeof OPERATION>['profiles'][number];
interface SearchParams extends Partial<FilterSet> {
  text?: string;
  company_id?: string;
}

/** The people of the account that this administrator works in. */
export function peopleSource(userId: string, params: SearchParams): ListSource<PersonSummary> {
  return {
    key: keyOf('profiles', 'search', userId, params),
    load: async (signal, before) => {
      const page = { ...params, limit: PAGE_SIZE, ...(before !== null && { before }) } as ParamsOf<typeof OPERATION>;
      const { profiles, is_complete, cursor } = await apiUntil(signal, OPERATION, page);
      return { items: profiles, next: cursor.before, isComplete: is_complete };
    },
  };
}

export const nameOfPerson = ({ name, email, uid }: Pick<PersonSummary, 'name' | 'email' | 'uid'>): string =>
  name ?? email ?? uid;
