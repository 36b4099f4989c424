import { changedParams } from './changed-params.ts';
import type { Document } from './document.ts';
import { emptyHistory, type History } from './history.ts';
import type { Clash } from './merge.ts';

/** A document as the server has it, and the time that identifies this state. */
export interface Base {
  document: Document;
  updated_at: string;
}

/** The copy of a document in this browser, with everything that is needed to go on with it. */
export interface LocalCopy {
  format: number;
  base: Base;
  document: Document;
  history: History;
  clashes: readonly Clash[];
  stored_at: number;
}

/** The version of the stored format. Increase it when older code cannot read the new format. */
export const LOCAL_FORMAT = 1;

/** Where local copies are stored. */
export interface DraftStore {
  read(key: string): Promise<LocalCopy | undefined>;
  /** Stores a copy. Resolves to whether the copy lasts longer than the page. */
  write(key: string, copy: LocalCopy): Promise<boolean>;
  /** Stores a copy before the function returns, for a page that is about to be closed. */
  writeNow(key: string, copy: LocalCopy): void;
  remove(key: string): Promise<void>;
  /** Lists the keys that are equal to this prefix, or begin with it and a space. */
  list(prefix: string): Promise<string[]>;
}

/**
 * Reads a copy that another version may have stored: its document is used if it is valid, and its history only if the
 * format is the same.
 */
export function readCopy(value: unknown): LocalCopy | undefined {
  const copy = value as Partial<LocalCopy> | null | undefined;
  const isDocument = (document: Partial<Document> | undefined) =>
    typeof document === 'object' && typeof document.kind === 'string' && Array.isArray(document.steps);
  if (!copy || !isDocument(copy.document) || !isDocument(copy.base?.document)) return undefined;
  if (typeof copy.base?.updated_at !== 'string') return undefined;
  const isCurrent = copy.format === LOCAL_FORMAT;
  return {
    format: LOCAL_FORMAT,
    base: copy.base,
    document: copy.document as Document,
    history: (isCurrent && copy.history) || emptyHistory,
    clashes: (isCurrent && copy.clashes) || [],
    stored_at: copy.stored_at ?? 0,
  };
}

/** For tests, and for browsers without a storage: copies last as long as the page. */
export function memoryDrafts(): DraftStore {
  const copies = new Map<string, string>();
  const writeNow = (key: string, copy: LocalCopy) => void copies.set(key, JSON.stringify(copy));
  return {
    read: async (key) => readCopy(JSON.parse(copies.get(key) ?? 'null')),
    write: async (key, copy) => {
      writeNow(key, copy);
      return true;
    },
    writeNow,
    remove: async (key) => void copies.delete(key),
    list: async (prefix) => [...copies.keys()].filter((key) => hasPrefix(key, prefix)),
  };
}

const hasPrefix = (key: string, prefix: string) => key === prefix || key.startsWith(`${prefix} `);

const DATABASE = 'usher-drafts';
const STORE = 'drafts';
const MAX_AGE_MS = 30 * 24 * 3600_000;
const lastKey = (key: string) => `usher-draft ${key}`;
const isLastKey = (key: string) => key.startsWith(lastKey(''));

/** False after the person has signed out: a page that is being closed must not store removed copies again. */
let keepsSaved = true;

/**
 * Removes copies of documents that the server has too, when a person signs out: the next person at this device must not
 * find them. Copies with unsaved changes stay, for the same person only.
 */
export async function removeSavedCopies(): Promise<void> {
  keepsSaved = false;
  removeLastIf(isSaved);
  await removeFrom(await openDatabase(), isSaved);
}

export function isSaved({ base, document, clashes }: LocalCopy): boolean {
  return clashes.length === 0 && Object.keys(changedParams(base.document, document)).length === 0;
}

/** Whether a local copy was last stored more than a month ago, so that it is not needed anymore. */
const isOld = ({ stored_at }: LocalCopy) => stored_at < Date.now() - MAX_AGE_MS;

/**
 * Stores copies in IndexedDB, which holds large documents. A page that is closed has no time for it, so its last state
 * goes to `localStorage`.
 */
export function browserDrafts(): DraftStore {
  const memory = memoryDrafts();
  let opened: Promise<IDBDatabase> | undefined;
  const database = () => {
    opened ??= openDatabase();
    return opened;
  };
  removeLastIf(isOld);
  return {
    read: async (key) => {
      const last = readLast(lastKey(key));
      const stored = await database().then(
        (db) => run<unknown>(db, 'readonly', (store) => store.get(key)),
        () => memory.read(key),
      );
      const copies = [readCopy(last), readCopy(stored)].filter((copy) => copy !== undefined);
      return copies.sort((one, other) => other.stored_at - one.stored_at)[0];
    },
    write: async (key, copy) => {
      if (!keepsSaved && isSaved(copy)) return false;
      try {
        await run(await database(), 'readwrite', (store) => store.put(copy, key));
        removeLast(lastKey(key));
        return true;
      } catch {
        // Private windows and full disks have no database.
        await memory.write(key, copy);
        return false;
      }
    },
    writeNow: (key, copy) => {
      if (!keepsSaved && isSaved(copy)) return;
      try {
        localStorage.setItem(lastKey(key), JSON.stringify(copy));
      } catch {
        // The copy is too large, or the storage is blocked. The copy that IndexedDB got within the last second must be
        // enough.
      }
    },
    remove: async (key) => {
      removeLast(lastKey(key));
      await memory.remove(key);
      await database()
        .then((db) => run(db, 'readwrite', (store) => store.delete(key)))
        .catch(() => undefined);
    },
    list: async (prefix) => {
      const range = () => IDBKeyRange.bound(prefix, `${prefix} \uffff`);
      const stored = await database()
        .then((db) => run<string[]>(db, 'readonly', (store) => store.getAllKeys(range())))
        .catch(() => memory.list(prefix));
      return [...new Set([...listLast(), ...stored])].filter((key) => hasPrefix(key, prefix));
    },
  };
}

function readLast(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return undefined;
  }
}

function listLast(): string[] {
  try {
    return Object.keys(localStorage).flatMap((name) => (isLastKey(name) ? name.slice(lastKey('').length) : []));
  } catch {
    return [];
  }
}

function removeLast(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // The storage is blocked, so there are no copies in it.
  }
}

async function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  const db = await resultOf(request);
  // If this fails, the next cleanup deletes the copies.
  removeFrom(db, isOld).catch(() => undefined);
  return db;
}

/** Whether a copy is removed. A copy that cannot be read is removed too. */
function shouldRemove(value: unknown, condition: (copy: LocalCopy) => boolean): boolean {
  const copy = readCopy(value);
  return copy === undefined || condition(copy);
}

function removeFrom(db: IDBDatabase, condition: (copy: LocalCopy) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = db.transaction(STORE, 'readwrite');
    const request = transaction.objectStore(STORE).openCursor();
    request.onsuccess = () => {
      const cursor = request.result;
      if (!cursor) return;
      if (shouldRemove(cursor.value, condition)) cursor.delete();
      cursor.continue();
    };
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

function removeLastIf(condition: (copy: LocalCopy) => boolean): void {
  try {
    for (const key of Object.keys(localStorage))
      if (isLastKey(key) && shouldRemove(readLast(key), condition)) localStorage.removeItem(key);
  } catch {
    // The storage is blocked, so there are no copies in it.
  }
}

function run<Result>(
  db: IDBDatabase,
  mode: IDBTransactionMode,
  start: (store: IDBObjectStore) => IDBRequest,
): Promise<Result> {
  return resultOf(start(db.transaction(STORE, mode).objectStore(STORE)));
}

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
