export interface Store {
  get(name: string): string | undefined;
  set(name: string, value: string | undefined): void;
}

/** For this tab, across its page loads; in memory alone where storage is denied or not wanted. */
export function createStore(useStorage: boolean): Store {
  const memory = new Map<string, string>();
  const storage = () => (useStorage ? sessionStorage : undefined);
  return {
    get: (name) => {
      try {
        return storage()?.getItem(`usher:${name}`) ?? memory.get(name);
      } catch {
        return memory.get(name);
      }
    },
    set: (name, value) => {
      if (value === undefined) memory.delete(name);
      else memory.set(name, value);
      try {
        if (value === undefined) storage()?.removeItem(`usher:${name}`);
        else storage()?.setItem(`usher:${name}`, value);
      } catch {}
    },
  };
}
