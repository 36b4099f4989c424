import { QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type OperationName, type ParamsArgument, type ParamsOf, type ResponseOf } from './api.ts';
import { ApiError, CanceledError, ConnectionError } from './errors.ts';
import { invalidate, type Noun, type NounOf, nounOf } from './nouns.ts';

type ReadName = Extract<OperationName, `GET ${string}`>;
/** A request that changes what the dashboard shows. */
type WriteName = {
  [Name in Exclude<OperationName, ReadName>]: NounOf<Name> extends Noun ? Name : never;
}[Exclude<OperationName, ReadName>];

/** The options of a query, for `useQuery` and for loading it in advance. The key begins with the noun. */
export function query<Name extends ReadName>(operation: Name, ...args: ParamsArgument<Name>) {
  const [params] = args;
  return queryOptions<ResponseOf<Name>>({
    queryKey: [nounOf(operation), operation, params ?? {}],
    queryFn: () => api(operation, ...args),
  });
}

/**
 * Sends a request that changes something. Afterwards the data about its noun, and about the nouns in `also`, is
 * refetched.
 */
export function useSend<Name extends WriteName>(operation: Name, also: readonly Noun[] = []) {
  const client = useQueryClient();
  const loadAgain = () => {
    void client.invalidateQueries({ queryKey: [nounOf(operation)] });
    void invalidate(client, ...also);
  };
  return useMutation<ResponseOf<Name>, Error, ParamsOf<Name>>({
    mutationFn: (params) => api(operation, ...[params]),
    onSuccess: loadAgain,
    onError: (error) => {
      // Somebody else has deleted or changed the record, so the data on the page is outdated.
      if (error instanceof ApiError && [404, 409].includes(error.status)) loadAgain();
    },
  });
}

const MAX_RETRIES = 3;
const MAX_WAIT_MS = 30_000;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // A page that is opened again shows cached data immediately, and refetches data that is older than this.
        staleTime: 10_000,
        gcTime: 10 * 60_000,
        retry: (count, error) => count < MAX_RETRIES && isWorthRetrying(error),
        retryDelay: (count, error) => retryDelay(count, error),
        // The dashboard finds out itself whether the server can be reached: it may be on this machine, without a
        // network.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}

function isWorthRetrying(error: Error): boolean {
  if (error instanceof CanceledError) return false;
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof ApiError)) return false;
  const wait = error.retryAt === undefined ? 0 : error.retryAt - Date.now();
  return error.status >= 500 || (error.status === 429 && wait < MAX_WAIT_MS);
}

export function retryDelay(count: number, error: Error, now = Date.now()): number {
  if (error instanceof ApiError && error.retryAt !== undefined) return Math.max(error.retryAt - now, 250);
  return Math.min(1000 * 2 ** count, 10_000);
}
