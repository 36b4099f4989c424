import { useSearchParams } from 'wouter';

/**
 * Params in the address, so that a link shows the same list, and going back shows it as it was left. Beginning or
 * ending a search adds an entry to the history of the browser; changing its words replaces the entry.
 */
export function useAddress({ isSearch = false } = {}) {
  const [params, setParams] = useSearchParams();
  const get = (name: string) => params.get(name) ?? '';
  const set = (changes: Record<string, string>) => {
    const isRefined = Object.entries(changes).every(([name, value]) => (get(name) === '') === (value === ''));
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes)) {
          if (value === '') after.delete(name);
          else after.set(name, value);
        }
        return after;
      },
      { replace: !isSearch || isRefined },
    );
  };
  return { get, set };
}
