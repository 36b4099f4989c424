import type { Storage } from '../db/storage.ts';

/** What page loads of one account read: all of it in memory, made once for each version. */
export interface LiveAccount {
  id: string;
  version: number;
  /** Signs the tokens of visits. */
  visitKey: string;
}

/** The accounts whose pages were loaded. */
export class Live {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }
}
