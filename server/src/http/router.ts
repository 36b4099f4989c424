const MAX_PARAMETER = 500;

export interface Found<T> {
  target: T;
  params: Record<string, string>;
}

interface Leaf<T> {
  target: T;
  /** The names of the parameters, in the order of the path. */
  names: readonly string[];
}

/** The routes below one segment of a path. */
class Branch<T> {
  readonly exact = new Map<string, Branch<T>>();
  /** Segments that match a pattern, by the text of the pattern. */
  readonly alike = new Map<string, { pattern: RegExp; branch: Branch<T> }>();
  any: Branch<T> | undefined = undefined;
  rest: Leaf<T> | undefined = undefined;
  leaf: Leaf<T> | undefined = undefined;
}

const none: Record<string, string> = Object.freeze(Object.create(null));

/**
 * Finds the target for a method and a path. `:name` matches one segment that is not empty or, as in `i18n.:format`, a
 * part of one; `*` at the end matches the rest of the path. The more specific segment wins.
 */
export class Router<T> {
  /** Paths without parameters, by method, then by path: most requests are for these. */
  readonly #whole = new Map<string, Map<string, Found<T>>>();
  readonly #roots = new Map<string, Branch<T>>();

  /** With `values`, a parameter matches only one of its values. */
  add(method: string, path: string, target: T, values: Record<string, readonly string[]> = {}): void {
    let branch = at(this.#roots, method, () => new Branch());
    const names: string[] = [];
    for (const part of path.slice(1).split('/')) {
      if (part === '*') {
        branch.rest = { target, names: [...names, part] };
        return;
      }
      names.push(...[...part.matchAll(/:(\w+)/g)].map(([, name = '']) => name));
      const allowed = values[part.slice(1)];
      if (part.startsWith(':') && allowed) {
        const made = () => ({ pattern: new RegExp(`^(${allowed.join('|')})$`), branch: new Branch<T>() });
        branch = at(branch.alike, allowed.join('|'), made).branch;
      } else if (/^:\w+$/.test(part)) {
        branch.any ??= new Branch();
        branch = branch.any;
      } else if (part.includes(':')) {
        const made = () => ({ pattern: patternOf(part), branch: new Branch<T>() });
        branch = at(branch.alike, part.replaceAll(/:\w+/g, ':'), made).branch;
      } else branch = at(branch.exact, part, () => new Branch());
    }
    branch.leaf = { target, names };
    if (names.length === 0) at(this.#whole, method, () => new Map()).set(path, { target, params: none });
  }

  /** Finds the target by the URL as it was sent, which may have a query. */
  find(method: string, url: string): Found<T> | undefined {
    const path = pathOf(url);
    const whole = this.#whole.get(method)?.get(path);
    if (whole) return whole;
    const root = this.#roots.get(method);
    const parts = path.startsWith('/') ? decode(path.slice(1).split('/')) : undefined;
    return root && parts && descend(root, parts, 0, []);
  }

  /** The methods that exist for a URL. */
  methodsAt(url: string): string[] {
    return [...this.#roots.keys()].filter((method) => this.find(method, url)).sort();
  }
}

function descend<T>(
  branch: Branch<T>,
  parts: readonly string[],
  depth: number,
  values: string[],
): Found<T> | undefined {
  const part = parts[depth];
  if (part === undefined) return branch.leaf && found(branch.leaf, values);
  const next = branch.exact.get(part);
  const exact = next && descend(next, parts, depth + 1, values);
  if (exact) return exact;
  if (part !== '' && part.length <= MAX_PARAMETER) {
    for (const { pattern, branch: next } of branch.alike.values()) {
      const pieces = pattern.exec(part)?.slice(1);
      const alike = pieces && descend(next, parts, depth + 1, [...values, ...pieces]);
      if (alike) return alike;
    }
    const any = branch.any && descend(branch.any, parts, depth + 1, [...values, part]);
    if (any) return any;
  }
  return branch.rest && found(branch.rest, [...values, parts.slice(depth).join('/')]);
}

/** In `:id.:format`, the first part ends at the first dot. */
function patternOf(part: string): RegExp {
  return new RegExp(`^${part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:\w+/g, '(.+?)')}$`, 's');
}

function found<T>({ target, names }: Leaf<T>, values: readonly string[]): Found<T> {
  const params = Object.create(null);
  for (const [index, name] of names.entries()) params[name] = values[index];
  return { target, params };
}

/** Proxies may send an absolute URL. */
function pathOf(url: string): string {
  const path = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '');
  const end = path.search(/[?#]/);
  return end < 0 ? path : path.slice(0, end);
}

/** Returns undefined if the path is not valid percent-encoding. */
function decode(parts: string[]): string[] | undefined {
  try {
    return parts.map((part) => (part.includes('%') ? decodeURIComponent(part) : part));
  } catch {
    return undefined;
  }
}

function at<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known) return known;
  const made = make();
  map.set(key, made);
  return made;
}
