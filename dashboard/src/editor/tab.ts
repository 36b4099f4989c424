/** This tab of the browser, and which other tabs of the same person are still open. */
export interface Tab {
  /** Stays the same when the page is loaded again. */
  id: string;
  /** Resolves when tabs that were loaded together with this one, as after a restart of the browser, hold their locks. */
  othersLoaded(): Promise<void>;
  /** Does something while the tab with this ID is closed. A tab that lives keeps it from being done. */
  whileClosed(id: string, work: () => Promise<void>): Promise<void>;
}

const ID_NAME = 'usher-tab';
const lockName = (id: string) => `${ID_NAME} ${id}`;
/** The page that was here before a reload gives its lock back when the browser has removed it, which takes a moment. */
const RELOAD_MS = 1_000;

/**
 * A Web Lock with the ID of the tab is held as long as the page lives, so other tabs know when it is closed or has crashed. Duplicating
 * a tab copies its `sessionStorage`, and so its ID: the lock tells the two apart.
 */
export async function claimTab(): Promise<Tab> {
  // Browsers have locks only where the connection is secure. Without them, two tabs may save the same text, which merges.
  const locks: LockManager | undefined = navigator.locks;
  const stored = readId();
  const isOwn = stored !== undefined && (!locks || (await hold(locks, stored, RELOAD_MS)));
  const id = isOwn ? stored : crypto.getRandomValues(new Uint32Array(2)).join('');
  if (!isOwn) {
    storeId(id);
    if (locks) await hold(locks, id, RELOAD_MS);
  }
  const loaded = new Promise<void>((resolve) => setTimeout(resolve, RELOAD_MS));
  return {
    id,
    othersLoaded: () => loaded,
    whileClosed: async (other, work) => {
      if (!locks) return work();
      await locks.request(lockName(other), { ifAvailable: true }, (lock) => (lock ? work() : undefined));
    },
  };
}

/** Resolves to whether this page has the lock, which it then keeps. */
function hold(locks: LockManager, id: string, waitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const keep = () => {
      resolve(true);
      return new Promise<void>(() => undefined);
    };
    locks.request(lockName(id), { signal: AbortSignal.timeout(waitMs) }, keep).catch(() => resolve(false));
  });
}

function readId(): string | undefined {
  try {
    return sessionStorage.getItem(ID_NAME) ?? undefined;
  } catch {
    return undefined;
  }
}

function storeId(id: string): void {
  try {
    sessionStorage.setItem(ID_NAME, id);
  } catch {
    // The storage is blocked: the next load of this page takes over the copies of this one.
  }
}
