import type { Method, Route } from './route.ts';

/** A kind of Experience as operation IDs have it: `Tour` and `Tours`. */
export interface KindWords {
  one: string;
  many: string;
  /** As it is in the path. */
  path: string;
}

type NamedRoute = Pick<Route, 'methods' | 'path' | 'operation'>;

/**
 * The ID of an operation, which generated clients use as the name of a function: `GET /v3/edit/urls/:id` is `getUrl`. A route has its
 * own `operation` where the method and the path would give no good one. An ID that clients use must not change.
 */
export function operationId(route: NamedRoute, method: Method, kind: KindWords): string {
  const { methods, path, operation } = route;
  const id = operation
    ? operation.replace('{Kind}', kind.one).replace('{Kinds}', kind.many)
    : idOf(route, method, kind);
  return (
    id +
    (path.includes(':account_secret') ? 'WithSecretInPath' : '') +
    (/\.:format$/.test(path) ? 'AsFile' : '') +
    (method === 'PUT' && methods.includes('PATCH') ? 'ByPut' : '') +
    (method === 'POST' && methods.includes('GET') ? 'ByPost' : '')
  );
}

function idOf({ methods, path }: NamedRoute, method: Method, kind: KindWords): string {
  const segments = path.replace(/^\/(v3\/)?((edit|analyze|observe)\/)?/, '').split('/');
  const nouns = segments.flatMap((segment, index) => {
    if (segment === ':kind') return index === segments.length - 1 ? kind.many : kind.one;
    if (segment.startsWith(':')) return [];
    const isOne = segments[index + 1]?.startsWith(':') ?? false;
    return toWords(isOne ? singular(segment) : segment);
  });
  const last = nouns.pop() ?? '';
  const parents = nouns.join('');
  const reads = methods.includes('GET') && (method === 'GET' || method === 'POST');
  if (reads) return `${last.endsWith('s') ? 'list' : 'get'}${parents}${last}`;
  if (method === 'POST' && last.endsWith('s')) return `create${parents}${singular(last)}`;
  if (method === 'POST') return last.charAt(0).toLowerCase() + last.slice(1) + parents;
  return `${method === 'DELETE' ? 'delete' : 'update'}${parents}${last}`;
}

/** `url_groups` becomes `UrlGroups`. */
export function toWords(segment: string): string {
  return segment
    .replace(/\..*/, '')
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

function singular(plural: string): string {
  return plural
    .replace(/ies$/, 'y')
    .replace(/(ss)es$/, '$1')
    .replace(/([^s])s$/, '$1');
}
