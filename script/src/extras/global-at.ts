/**
 * The value at a path of the page's `window`. Only plain values of objects themselves are read: no getter runs, and nothing
 * inherited is reached. So nothing of the browser can be reached either, such as the address, cookies and storage: these
 * are behind getters. Undefined when there is none.
 */
export function globalAt(path: string, root: unknown = window): unknown {
  let value = root;
  try {
    for (const key of path.split('.')) {
      if (typeof value !== 'object' || value === null) return undefined;
      value = Object.getOwnPropertyDescriptor(value, key)?.value;
    }
    return value;
  } catch {
    // A proxy of the page has thrown.
    return undefined;
  }
}
