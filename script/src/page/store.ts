/**
 * Remembers values across page loads: for this tab, in the session storage, or, if they are lasting, for this browser, in the local
 * storage.
 */
export interface Store {
  get(name: string, isLasting?: boolean): string | undefined;
  /** Sets a value; without a value, it removes the entry. */
  set(name: string, value?: string, isLasting?: boolean): void;
  /** Turns the storage on or off, once for the page and once for its consent. While one is off, nothing is stored or read. */
  enable(isEnabled: boolean, by?: 0 | 1): void;
}

export function createStore(): Store {
  const enabled = [true, true];
  const attempt = <T>(work: (storage: Storage) => T, isLasting?: boolean): T | undefined => {
    try {
      return enabled[0] && enabled[1] ? work(isLasting ? localStorage : sessionStorage) : undefined;
    } catch {
      // The browser denies storage to this page.
      return undefined;
    }
  };
  return {
    get: (name, isLasting) => attempt((storage) => storage.getItem(`usher:${name}`), isLasting) ?? undefined,
    set: (name, value, isLasting) =>
      attempt(
        (storage) =>
          value === undefined ? storage.removeItem(`usher:${name}`) : storage.setItem(`usher:${name}`, value),
        isLasting,
      ),
    enable: (value, by = 0) => {
      enabled[by] = value;
    },
  };
}
