import type { QueryClient } from '@tanstack/react-query';
import type { Operations } from './schema.ts';

type First<Path> = Path extends `${infer Part}/${string}` ? Part : Path;
type PathNoun<Part> = Part extends '{kind}' ? 'kinds' : Part extends `${string}.${string}` ? never : Part;

/** What `nounOf` returns for an endpoint. A file, such as `i18n.{format}`, has none. */
export type NounOf<Name> = Name extends `${string} /v3/${'edit' | 'analyze'}/${infer Rest}`
  ? PathNoun<First<Rest>>
  : Name extends `${string} /v3/${infer Rest}`
    ? PathNoun<First<Rest>>
    : never;

/**
 * The nouns of all data that the dashboard loads: everything that it can read by the API, and the number of unpublished
 * changes, which it counts itself.
 */
export type Noun = NounOf<Extract<keyof Operations, `GET ${string}`>> | 'unpublished';

/**
 * What a request changes: a noun with an ID, such as `urls/6af9…`, or only the noun if the record exists once, such as
 * `account`.
 */
export type Changed = Noun | `${Noun}/${string}`;

/** The noun of an endpoint: `GET /v3/edit/urls/{id}` is about `urls`, `GET /v3/edit/{kind}/{id}/changes` about `kinds`. */
export function nounOf(operation: string): string {
  const [, , area, noun = ''] = operation.split('/');
  const found = area === 'edit' || area === 'analyze' ? noun : (area ?? '');
  return found === '{kind}' ? 'kinds' : found;
}

/** The key of a query that `query` does not create. It begins with the noun too. */
export function keyOf<Rest extends readonly unknown[]>(noun: Noun, ...rest: Rest) {
  return [noun, ...rest] as const;
}

/** Refetches all data about these nouns. */
export async function invalidate(client: QueryClient, ...nouns: readonly Noun[]): Promise<void> {
  await Promise.all(nouns.map((noun) => client.invalidateQueries({ queryKey: keyOf(noun) })));
}
