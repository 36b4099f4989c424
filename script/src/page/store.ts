export interface Store {
  get(name: string): string | undefined;
  /** Nothing, unless a value is given. */
  set(name: string, value?: string): void;
}

/** For this tab, across its page loads; nothing is kept where storage is denied or not wanted. */
export function createStore(useStorage: boolean): Store {
  const attempt = <T>(work: (storage: Storage) => T): T | undefined => {
    try {
      return useStorage ? work(sessionStorage) : undefined;
    } catch {
      return undefined;
    }
  };
  return {
    get: (name) => attempt((storage) => storage.getItem(`usher:${name}`)) ?? undefined,
    set: (name, value) =>
      attempt((storage) =>
        value === undefined ? storage.removeItem(`usher:${name}`) : storage.setItem(`usher:${name}`, value),
      ),
  };
}
