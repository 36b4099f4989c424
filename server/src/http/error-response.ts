import type { Storage } from '../db/storage.ts';
import { ApiError, ChangedMeanwhile, databaseReadOnly, diskFull, storageUnavailable } from '../errors.ts';
import { findParams } from './find-params.ts';
import { flatten, HttpResponse, jsonResponse } from './http-response.ts';

const exposedToAnyOrigin = [
  'access-control-expose-headers',
  'X-Ratelimit-Limit, X-Ratelimit-Wait, X-Retry-After, Retry-After',
];

/** Maps whatever was thrown to the error that the client receives. */
export function toApiError(error: unknown, storage: Storage): ApiError {
  if (error instanceof ApiError) return error;
  if (storage.isFull(error)) return diskFull();
  if (storage.isReadOnly(error)) return databaseReadOnly();
  if (storage.isUnavailable(error)) return storageUnavailable();
  return new ApiError(500, ['Something went wrong on the server: its log says what']);
}

export function errorResponse(error: ApiError, anyOrigin: boolean): HttpResponse {
  const { status, body, headers } = jsonResponse(error.code, errorBody(error));
  const exposed = anyOrigin && error.code === 429 ? exposedToAnyOrigin : [];
  return new HttpResponse(status, body, [...headers, ...flatten(errorHeaders(error)), ...exposed]);
}

export function methodNotAllowed(allowed: readonly string[]): HttpResponse {
  const allow = allowed.join(', ');
  const { status, body, headers } = jsonResponse(405, errorBody(new ApiError(405, [`Use ${allow} here`])));
  return new HttpResponse(status, body, [...headers, 'allow', allow]);
}

/** Other errors are not about single parameters. */
const aboutParams = new Set([404, 409, 422]);

export function errorBody(error: ApiError): object {
  const { code, messages, limit, wait, confirm } = error;
  if (error instanceof ChangedMeanwhile) {
    const { current, changedBy: changed_by } = error;
    return { code, messages, current, changed_by };
  }
  if (confirm !== undefined) return { code, messages, confirm };
  if (wait !== undefined) return { code, messages, wait };
  if (limit !== undefined) return { code, messages, limit };
  const errors = aboutParams.has(code) ? findParams(messages) : [];
  return errors.length > 0 ? { code, messages, errors } : { code, messages };
}

/** A request that was one of too many at a time can be sent again in a moment, so its clients wait for a second. */
function errorHeaders({ code, limit, wait }: ApiError): Record<string, number> {
  return {
    ...(limit !== undefined && { 'x-ratelimit-limit': limit }),
    ...(limit !== undefined && wait !== undefined && { 'x-ratelimit-remaining': 0 }),
    ...(wait !== undefined && { 'x-ratelimit-wait': wait, 'retry-after': wait }),
    ...(code === 429 && { 'x-retry-after': wait ?? 1 }),
  };
}
