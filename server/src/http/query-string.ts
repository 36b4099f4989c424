import { invalid } from '../errors.ts';

const MAX_PAIRS = 2000;
const MAX_DEPTH = 8;

type Tree = { [key: string]: string | string[] | Tree };

/**
 * Parses `a=1&expand[profile]=all&expand.company=skip&ids[]=x&ids[]=y` into one tree. A name that comes more than once
 * becomes a list; whether the parameter may be a list is checked later.
 */
export function parseQueryString(text: string): Tree {
  const root: Tree = Object.create(null);
  if (text === '') return root;
  const pairs = text.split('&');
  if (pairs.length > MAX_PAIRS)
    throw invalid(`There are ${pairs.length} parameters: ${MAX_PAIRS} at most can be given`);
  for (const pair of pairs) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = decode(at < 0 ? pair : pair.slice(0, at));
    place(root, keysOf(name), at < 0 ? '' : decode(pair.slice(at + 1)), name);
  }
  return root;
}

/** The parameters in the query of a URL. */
export function queryOf(url = ''): Tree {
  const at = url.indexOf('?');
  return parseQueryString(at < 0 ? '' : url.slice(at + 1));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalid('The parameters are not valid percent-encoded UTF-8');
  }
}

/** `expand[profile]` and `expand.profile` have the same two keys; the last key of `ids[]` is empty. */
function keysOf(name: string): string[] {
  const keys = name.replaceAll(']', '').split(/[[.]/);
  if (keys.length > MAX_DEPTH) throw invalid(`A parameter name has more than ${MAX_DEPTH} levels`);
  return keys;
}

function place(root: Tree, keys: string[], value: string, name: string): void {
  let tree = root;
  const list = keys.length > 1 && keys.at(-1) === '';
  const path = list ? keys.slice(0, -1) : keys;
  for (const key of path.slice(0, -1)) {
    tree[key] ??= Object.create(null) as Tree;
    const next = tree[key];
    if (typeof next === 'string' || Array.isArray(next))
      throw invalid(`\`${name}\` is given both as a value and as an object`);
    tree = next;
  }
  const key = path.at(-1) ?? '';
  const before = tree[key];
  if (before === undefined) tree[key] = list ? [value] : value;
  else if (typeof before === 'string') tree[key] = [before, value];
  else if (Array.isArray(before)) before.push(value);
  else throw invalid(`\`${name}\` is given both as a value and as an object`);
}
