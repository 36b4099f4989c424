/** Remembers values for this tab, across its page loads, in the session storage. */
export interface Store {
  get(name: string): string | undefined;
  /** Sets a value; without a value, it removes the entry. */
  set(name: string, value?: string): void;
  /** Turns the storage on or off. While it is off, nothing is stored or read. */
  enable(isEnabled: boolean): void;
}

export function createStore(): Store {
  let isEnabled = true;
  const attempt = <T>(work: (storage: Storage) => T): T | undefined => {
    try {
      return isEnabled ? work(sessionStorage) : undefined;
    } catch {
      // The browser denies storage to this page.
      return undefined;
    }
  };
  return {
    get: (name) => attempt((storage) => storage.getItem(`usher:${name}`)) ?? undefined,
    set: (name, value) =>
      attempt((storage) =>
        value === undefined ? storage.removeItem(`usher:${name}`) : storage.setItem(`usher:${name}`, value),
      ),
    enable: (value) => {
      isEnabled = value;
    },
  };
}
