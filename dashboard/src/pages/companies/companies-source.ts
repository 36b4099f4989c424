import { apiUntil, type ResponseOf } from '../../api/api.ts';
import { keyOf } from '../../api/nouns.ts';
import type { ListSource } from '../../lists/use-paged-list.ts';

const OPERATION = 'POST /v3/edit/companies/search';
const PAGE_SIZE = 100;

export type CompanySummary = ResponseOf<typeof OPERATION>['companies'][number];

/** The Companies of the account that this administrator works in. */
export function companiesSource(userId: string, params: { text?: string }): ListSource<CompanySummary> {
  return {
    key: keyOf('companies', 'search', userId, params),
    load: async (signal, before) => {
      const page = { ...params, limit: PAGE_SIZE, ...(before !== null && { before }) };
      const { companies, is_complete, cursor } = await apiUntil(signal, OPERATION, page);
      return { items: companies, next: cursor.before, isComplete: is_complete };
    },
  };
}
