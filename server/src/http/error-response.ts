import type { Storage } from '../db/storage.ts';
import { Refusal, storageAway } from '../errors.ts';

/** What a client is told of whatever went wrong. */
export function toRefusal(error: unknown, storage: Storage): Refusal {
  if (error instanceof Refusal) return error;
  if (storage.isAway(error)) return storageAway();
  return new Refusal(500, ['Something went wrong on the server: its log says what']);
}

/** The body of the answer. */
export function refusalBody({ code, messages, limit, wait }: Refusal): object {
  if (wait !== undefined) return { code, messages, wait };
  return limit === undefined ? { code, messages } : { code, messages, limit };
}

export function refusalHeaders({ limit, wait }: Refusal): Record<string, number> {
  return {
    ...(limit !== undefined && { 'x-ratelimit-limit': limit }),
    ...(wait !== undefined && { 'x-ratelimit-wait': wait, 'retry-after': wait }),
  };
}
