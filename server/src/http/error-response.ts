import type { Storage } from '../db/storage.ts';
import { ApiError, storageUnavailable } from '../errors.ts';

/** What a client is told of whatever went wrong. */
export function toApiError(error: unknown, storage: Storage): ApiError {
  if (error instanceof ApiError) return error;
  if (storage.isUnavailable(error)) return storageUnavailable();
  return new ApiError(500, ['Something went wrong on the server: its log says what']);
}

/** The body of the answer. */
export function errorBody({ code, messages, limit, wait }: ApiError): object {
  if (wait !== undefined) return { code, messages, wait };
  return limit === undefined ? { code, messages } : { code, messages, limit };
}

export function errorHeaders({ limit, wait }: ApiError): Record<string, number> {
  return {
    ...(limit !== undefined && { 'x-ratelimit-limit': limit }),
    ...(wait !== undefined && { 'x-ratelimit-wait': wait, 'retry-after': wait }),
  };
}
