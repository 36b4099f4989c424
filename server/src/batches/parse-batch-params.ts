import { toList } from '@usher/domain';
import { mergeParams, parseParams, type RawParams } from '../http/params.ts';
import type { BatchItems, YieldToRequests } from '../http/route.ts';
import { readJsonBatch } from './json-batch.ts';

export interface BatchParams {
  /** All parameters; the list is left out if it is JSON. */
  input: Record<string, unknown>;
  list: Pick<BatchItems, 'count' | 'slice' | 'pick'> | undefined;
}

/** Parses the parameters of a batch. A list in JSON is only validated here, and parsed while it is stored. */
export async function parseBatchParams(
  request: RawParams,
  batch: string,
  yieldToRequests: YieldToRequests,
): Promise<BatchParams> {
  const { url, params, body } = request;
  if (!looksLikeJson(body)) return withList(await parseParams(request), batch);
  const { fields, count, slice, pick } = await readJsonBatch(body, batch, yieldToRequests);
  const input = mergeParams(url, fields, params);
  return count === undefined ? withList(input, batch) : { input, list: { count, slice, pick } };
}

function withList(input: Record<string, unknown>, batch: string): BatchParams {
  const list = toList(input[batch], false);
  if (!list) return { input, list };
  const slice = (start: number, end: number) => list.slice(start, end);
  const pick = (positions: Uint32Array) => Array.from(positions, (position) => list[position]);
  return { input, list: { count: list.length, slice, pick } };
}

function looksLikeJson(body: Buffer | undefined): body is Buffer {
  return body !== undefined && /^\ufeff?\s*[{[]/.test(body.toString('utf8', 0, 100));
}
