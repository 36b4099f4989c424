/** Enough for the pages and languages that are requested often. If a flood of other texts clears the cache, it soon fills again. */
const MAX_ENTRIES = 1000;
const MAX_KEY_LENGTH = 300;

/**
 * Caches the results of a function of a text, for values that every page load computes from few different texts. Results
 * are shared, so callers must not change them.
 */
export function memoize<T>(compute: (text: string) => T, maxEntries = MAX_ENTRIES): (text: string) => T {
  const cache = new Map<string, T>();
  return (text) => {
    const cached = cache.get(text);
    if (cached !== undefined || cache.has(text)) return cached as T;
    const result = compute(text);
    if (text.length > MAX_KEY_LENGTH) return result;
    if (cache.size >= maxEntries) cache.clear();
    cache.set(text, result);
    return result;
  };
}
