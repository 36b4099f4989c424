import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, type OperationName, type ParamsArgument, type ParamsOf, type ResponseOf } from './api.ts';
import { nounOf } from './nouns.ts';

interface WithCursor {
  cursor: { before: string | null };
}

/** The endpoints that return a list in pages. */
type ListName = {
  [Name in OperationName]: ResponseOf<Name> extends WithCursor ? (Name extends `GET ${string}` ? Name : never) : never;
}[OperationName];

/** The options of a list that is loaded page by page, for `useInfiniteQuery`. */
export function listQuery<Name extends ListName>(operation: Name, params: ParamsOf<Name>) {
  return infiniteQueryOptions({
    queryKey: [nounOf(operation), operation, 'pages', params],
    queryFn: ({ pageParam }) => {
      const page = { ...params, ...(pageParam !== null && { before: pageParam }) };
      return api(operation, ...([page] as unknown as ParamsArgument<Name>)) as Promise<ResponseOf<Name> & WithCursor>;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor.before,
  });
}
