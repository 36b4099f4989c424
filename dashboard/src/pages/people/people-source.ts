import { apiUntil, type ParamsOf, type ResponseOf } from '../../api/api.ts';
import type { ListSource } from '../../lists/use-paged-list.ts';

const OPERATION = 'POST /v3/edit/profiles/search';
const PAGE_SIZE = 100;

export type PersonSummary = ResponseOf<typeof OPERATION>['profiles'][number];
type SearchParams = Omit<ParamsOf<typeof OPERATION>, 'limit' | 'before'>;

/** The people of the account that this administrator works in. */
export function peopleSource(userId: string, params: SearchParams): ListSource<PersonSummary> {
  return {
    key: ['profiles', 'search', userId, params],
    load: async (signal, before) => {
      const page = { ...params, limit: PAGE_SIZE, ...(before !== null && { before }) };
      const { profiles, is_complete, cursor } = await apiUntil(signal, OPERATION, page);
      return { items: profiles, next: cursor.before, isComplete: is_complete };
    },
  };
}

export const nameOfPerson = ({ name, email, uid }: Pick<PersonSummary, 'name' | 'email' | 'uid'>): string =>
  name ?? email ?? uid;
