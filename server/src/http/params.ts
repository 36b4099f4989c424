import { toList } from '@usher/domain';
import { readJsonBatch, type YieldToRequests } from '../batches/json-batch.ts';
import type { BatchItems } from '../batches/run-batch.ts';
import { readBody } from './body.ts';
import { queryOf } from './query-string.ts';

/** All that parameters can be in. */
export interface Sent {
  url: string | undefined;
  params: unknown;
  body: Buffer | undefined;
  mediaType: string;
}

export interface CollectedBatch {
  /** Without the list, or with one that is no JSON. */
  input: Record<string, unknown>;
  list: Pick<BatchItems, 'count' | 'slice'> | undefined;
}

/** Path, query and body are one set: the path wins over the body, the body over the query. */
export async function parseParams({ url, params, body, mediaType }: Sent): Promise<Record<string, unknown>> {
  return mergeParams(url, await readBody(body, mediaType), params);
}

/** The same of a batch, whose list is read when it is stored. */
export async function parseBatchParams(
  sent: Sent,
  batch: string,
  yieldToRequests: YieldToRequests,
): Promise<CollectedBatch> {
  const { url, params, body, mediaType } = sent;
  if (!looksLikeJson(body)) return withListOf(mergeParams(url, await readBody(body, mediaType), params), batch);
  const { fields, count, slice } = await readJsonBatch(body, batch, yieldToRequests);
  const input = mergeParams(url, fields, params);
  return count === undefined ? withListOf(input, batch) : { input, list: { count, slice } };
}

export function mergeParams(url: string | undefined, fields: object, params: unknown): Record<string, unknown> {
  // Without a prototype, `__proto__` is a key like any other.
  return Object.assign(Object.create(null), queryOf(url), fields, params);
}

function withListOf(input: Record<string, unknown>, batch: string): CollectedBatch {
  const list = toList(input[batch], false);
  return { input, list: list && { count: list.length, slice: (start, end) => list.slice(start, end) } };
}

function looksLikeJson(body: Buffer | undefined): body is Buffer {
  return body !== undefined && /^\ufeff?\s*[{[]/.test(body.toString('utf8', 0, 100));
}
