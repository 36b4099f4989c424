import { experienceKinds, type ListedExperience } from '@usher/domain';
import type { ParamsOf } from '../../../api/api.ts';
import { listParams } from '../../../api/experience-queries.ts';
import { useAddress } from '../../../lists/use-address.ts';
import * as text from '../../../messages/text.ts';

const { orders, states } = text.experiences;

/** The params of the address that filter the list. */
const filterNames = ['search', 'kind', 'state', 'environment', 'segment', 'tag'] as const;
type FilterName = (typeof filterNames)[number];
export type Filters = Record<FilterName | 'order', string>;

export const LIST_PATH = '/app/experiences';
export const FIRST_ORDER = 'position';

type ListParams = ParamsOf<'GET /v3/edit/experiences'>;

const isId = (value: string) => /^[0-9a-f]{24}$/.test(value);

/** The filters and the order in the address. Going back shows the list as it was left. */
export function useFilters() {
  const { get, set } = useAddress();
  const order = get('order');
  const filters: Filters = {
    search: get('search'),
    kind: experienceKinds.some((one) => one === get('kind')) ? get('kind') : '',
    state: Object.hasOwn(states, get('state')) ? get('state') : '',
    environment: isId(get('environment')) ? get('environment') : '',
    segment: isId(get('segment')) ? get('segment') : '',
    tag: isId(get('tag')) ? get('tag') : '',
    order: Object.hasOwn(orders, order) ? order : FIRST_ORDER,
  };
  const isFiltered = filterNames.some((name) => filters[name].trim() !== '');
  const clear = () => set(Object.fromEntries([...filterNames, 'order'].map((name) => [name, ''])));
  return { filters, set, clear, isFiltered };
}

/** The filters and the order as the end of an address. Two lists with the same filters have the same end. */
export function addressOf(filters: Filters): string {
  const params = new URLSearchParams(
    [...filterNames, 'order' as const].flatMap((name) => {
      const value = filters[name].trim();
      return value === '' || (name === 'order' && value === FIRST_ORDER) ? [] : [[name, value]];
    }),
  );
  return params.size > 0 ? `?${params}` : '';
}

/** The params of the request for a list. Archived Experiences are included only if the filter asks for them. */
export function paramsOf({ search, kind, state, environment, segment, tag, order }: Filters): ListParams {
  return {
    ...listParams,
    order: order as keyof typeof orders,
    ...(state === '' ? { archived: false } : { state: state as keyof typeof states }),
    ...(kind !== '' && { kind: kind as ListedExperience['kind'] }),
    ...(environment !== '' && { url_group_id: environment }),
    ...(segment !== '' && { segment_id: segment }),
    ...(tag !== '' && { tag_id: tag }),
    ...(search.trim() !== '' && { search: search.trim() }),
  };
}
