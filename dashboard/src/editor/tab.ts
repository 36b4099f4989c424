/** This tab of the browser, and which other tabs of the same person are still open. */
export interface Tab {
  /** The ID of the tab, which stays the same when the page is loaded again. */
  id: string;
  /** Resolves when tabs that were loaded together with this one, as after a restart of the browser, hold their locks. */
  othersLoaded(): Promise<void>;
  /** Runs the work while the tab with this ID is closed. The work does not run if that tab is open. */
  whileClosed(id: string, work: () => Promise<void>): Promise<void>;
}

const ID_NAME = 'usher-tab';
const lockName = (id: string) => `${ID_NAME} ${id}`;
/** After a reload, the previous page releases its lock only when the browser has removed it, which takes a moment. */
const RELOAD_MS = 1_000;

/**
 * Each page holds a Web Lock with the ID of its tab, so other tabs know when the tab is closed or has crashed.
 * Duplicating a tab copies its `sessionStorage`, and so its ID: the lock tells the two apart.
 */
export async function claimTab(): Promise<Tab> {
  // Browsers have locks only on secure connections. Without locks, two tabs may save the same text, which the server
  // merges.
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
    // The storage is blocked, so the ID is lost: after a reload, this page takes over its copies as those of a closed
    // tab.
  }
}
