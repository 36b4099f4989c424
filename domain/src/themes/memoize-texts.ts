/**
 * Caches texts that are computed from other texts. When both have more characters together, it forgets all of them. Texts that do
 * not fit are not cached.
 */
export function memoizeTexts(compute: (text: string) => string, maxCharacters: number): (text: string) => string {
  const cache = new Map<string, string>();
  let characters = 0;
  return (text) => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const result = compute(text);
    const added = text.length + result.length;
    if (added > maxCharacters) return result;
    if (characters + added > maxCharacters) {
      cache.clear();
      characters = 0;
    }
    characters += added;
    cache.set(text, result);
    return result;
  };
}
