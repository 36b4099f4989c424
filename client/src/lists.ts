import type { Operations } from './api.ts';

interface Cursor {
  limit?: number;
  before?: string | null;
  after?: string | null;
}

/** The operations whose response is a page of a list. */
export type ListOperation = {
  [O in keyof Operations]: O extends `GET ${string}`
    ? Operations[O]['response'] extends { cursor: object }
      ? O
      : never
    : never;
}[keyof Operations];

type ListIn<Response> = Response[Exclude<keyof Response, 'cursor'>];
/** A record of such a list. */
export type ItemOf<O extends ListOperation> =
  ListIn<Operations[O]['response']> extends readonly (infer Item)[] ? Item : never;

/** The records of a page are under the first key that is not `cursor`. */
export function itemsIn<Item>(response: unknown): { items: Item[]; cursor: Cursor | undefined } {
  const { cursor, ...lists } = (response ?? {}) as { cursor?: Cursor };
  const [items = []] = Object.values(lists);
  if (!Array.isArray(items)) throw new TypeError('The response is not a list');
  return { items, cursor };
}
