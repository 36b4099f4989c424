/** Enough for the pages and languages that are asked for all the time; a flood of others pushes them out for a moment. */
const MAX_ENTRIES = 1000;
const MAX_KEY_LENGTH = 300;

/**
 * The same answers, remembered by what was asked: for questions that every page load asks anew, about few things. The
 * answers are shared, so nobody may change one.
 */
export function memoize<T>(find: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const answer = known.get(text);
    if (answer !== undefined || known.has(text)) return answer as T;
    const found = find(text);
    if (text.length > MAX_KEY_LENGTH) return found;
    if (known.size >= MAX_ENTRIES) known.clear();
    known.set(text, found);
    return found;
  };
}
