import type { ParamsOf } from '../../../api/api.ts';
import { useAddress } from '../../../lists/use-address.ts';

type ListParams = ParamsOf<'GET /v3/analyze/responses'>;

const names = ['search', 'min', 'max', 'answer', 'comment', 'segment', 'language', 'tag', 'from', 'until'] as const;
export type FilterName = (typeof names)[number];
export const orders = ['created_at', 'highest_score', 'lowest_score'] as const;

/** The filters are in the address, so that a link shows the same Responses. An answer is the ID of a step and of an option. */
export function useResponseFilters() {
  const { get, set } = useAddress();
  const order = orders.find((one) => one === get('order')) ?? 'created_at';
  const [step_id = '', ...option] = get('answer').split(':');
  const filters = {
    ...(get('search') && { search: get('search') }),
    ...(get('min') && { min_score: Number(get('min')) }),
    ...(get('max') && { max_score: Number(get('max')) }),
    ...(step_id && { step_id, options: [option.join(':')] }),
    ...(get('comment') && { has_comment: get('comment') === 'with' }),
    ...(get('segment') && { segment_id: get('segment') }),
    ...(get('language') && { language: get('language') }),
    ...(get('tag') && { tag: get('tag') }),
    ...(get('from') && { from: get('from') }),
    ...(get('until') && { until: get('until') }),
  } satisfies Partial<ListParams>;
  return {
    get,
    set: (name: FilterName | 'order' | 'property', value: string) => set({ [name]: value }),
    clear: () => set(Object.fromEntries(names.map((name) => [name, '']))),
    isFiltered: Object.keys(filters).length > 0,
    filters,
    order,
    properties: get('property') === '' ? [] : [get('property')],
  };
}
export type ResponseFilters = ReturnType<typeof useResponseFilters>;
