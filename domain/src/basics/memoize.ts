/** Enough for the pages and languages that are asked for all the time; a flood of others pushes them out for a moment. */
const MAX_ENTRIES = 1000;
const MAX_KEY_LENGTH = 300;

/**
 * The same answers, remembered by what was asked: for questions that every page load asks anew, about few things. The
 * answers are shared, so nobody may change one.
 */
export function memoize<T>(compute: (text: string) => T): (text: string) => T {
  const cache = new Map<string, T>();
  return (text) => {
    const answer = cache.get(text);
    if (answer !== undefined || cache.has(text)) return answer as T;
    const found = compute(text);
    if (text.length > MAX_KEY_LENGTH) return found;
    if (cache.size >= MAX_ENTRIES) cache.clear();
    cache.set(text, found);
    return found;
  };
}
