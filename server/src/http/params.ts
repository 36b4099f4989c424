import { parseBody } from './body.ts';
import { queryOf } from './query-string.ts';

/** Everything in a request that parameters can be in. */
export interface RawParams {
  url: string | undefined;
  /** The parameters in the path. */
  params: unknown;
  body: Buffer | undefined;
  mediaType: string;
}

/** Path, query and body form one set: the path wins over the body, the body over the query. */
export async function parseParams({ url, params, body, mediaType }: RawParams): Promise<Record<string, unknown>> {
  return mergeParams(url, await parseBody(body, mediaType), params);
}

export function mergeParams(url: string | undefined, fields: object, params: unknown): Record<string, unknown> {
  // Without a prototype, `__proto__` is a key like any other.
  return Object.assign(Object.create(null), queryOf(url), fields, params);
}
