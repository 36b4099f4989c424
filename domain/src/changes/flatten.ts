/*
 * Flattened objects have only scalars, with the path of each as its key: `elements.0.selector`. An empty list is left out,
 * because it is the initial value. A backslash escapes a dot in a key, and marks a numeric key that is no list index.
 */

export function flatten(value: Record<string, unknown>): Record<string, unknown> {
  const flat: [string, unknown][] = [];
  const visit = (part: unknown, path: string) => {
    if (typeof part !== 'object' || part === null) flat.push([path, part]);
    else
      for (const [key, item] of Object.entries(part)) {
        const name = Array.isArray(part) ? key : key.replace(/[\\.]|^(?=\d+$)/g, '\\$&');
        visit(item, path === '' ? name : `${path}.${name}`);
      }
  };
  visit(value, '');
  return Object.fromEntries(flat);
}

export function unflatten(flat: Record<string, unknown>): Record<string, unknown> {
  const leaves = Object.entries(flat).map(([path, value]): Leaf => ({ keys: splitPath(path), value }));
  return leaves.length === 0 ? {} : (buildTree(leaves) as Record<string, unknown>);
}

interface Leaf {
  keys: string[];
  value: unknown;
}

function splitPath(path: string): string[] {
  return path.match(/(?:\\.|[^\\.])+/gs) ?? [];
}

function buildTree(leaves: readonly Leaf[]): unknown {
  const branches = new Map<string, Leaf[]>();
  for (const { keys, value } of leaves) {
    const [key, ...rest] = keys;
    if (key === undefined) return value;
    const branch = branches.get(key);
    if (branch) branch.push({ keys: rest, value });
    else branches.set(key, [{ keys: rest, value }]);
  }
  const entries = [...branches].map(([key, branch]): [string, unknown] => [key, buildTree(branch)]);
  if (!entries.every(([key]) => /^\d+$/.test(key)))
    return Object.fromEntries(entries.map(([key, value]) => [key.replace(/\\(.)/gs, '$1'), value]));
  return entries.sort(([one], [other]) => Number(one) - Number(other)).map(([, value]) => value);
}
