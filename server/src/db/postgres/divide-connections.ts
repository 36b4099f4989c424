/** How many connections each part of a process may open. */
export interface PoolSizes {
  /** For everything that is not named below. */
  main: number;
  /** For heavy reads. 0 if they use the main connections. */
  heavy: number;
  /** For the thread that stores batches. It is another pool: threads cannot share connections. */
  batches: number;
}

export const DEFAULT_CONNECTIONS = 24;
/** Each heavy read uses one core. If they used all cores, every other request would become slow. */
const MAX_HEAVY_READS = 4;
/** The thread stores one chunk at a time, and meanwhile writes the Properties of earlier ones. */
const MAX_BATCHES = 3;

/** Divides the connections of one process. The total is never exceeded. */
export function divideConnections(total: number): PoolSizes {
  const heavy = Math.min(Math.max(Math.floor(total / 6), 1), MAX_HEAVY_READS);
  const batches = Math.min(Math.max(Math.floor(total / 8), 1), MAX_BATCHES);
  return { main: total - heavy - batches, heavy, batches };
}
