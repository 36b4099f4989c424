import type { Millis } from '@usher/domain';

/** Where a queued request learns that its client has disconnected. */
export interface Disconnectable {
  readonly signal: AbortSignal;
}

/** Where requests wait for a place that the whole group has once. */
export type GroupQueueName =
  | `${'batches' | 'uploads'}.${'accepted' | 'processing'}`
  | `reads.${'search' | 'count' | 'report'}`
  | `passwords.${'known' | 'unknown'}`;

/** Adds to the count of a key, or subtracts from it. */
export type AddCount = (group: string, key: string, count: number) => void;

/** How many of something are open, such as the connections of an address. */
export interface SharedOpen {
  /** How many are open in the other workers, as of a moment ago. */
  elsewhere(key: string): number;
  add(key: string, change: number): void;
}

/** What the workers of one server share (`usher serve --workers`). A server of one process has no group. */
export interface Group {
  /** The number of this worker, from 1. Worker 1 also does what only one of them needs to do, such as the hourly sweep. */
  readonly worker: number;
  /** Sends what is counted here to the other workers, and calls `onAdded` with what they have counted. */
  shareCounts(name: string, onAdded: AddCount): AddCount;
  shareOpen(name: string): SharedOpen;
  /**
   * Counts one more of the whole group in a minute, if that is allowed. Returns in how many milliseconds it is; 0 if it was counted. It
   * takes a message for each, so it is for what is rare.
   */
  countExactly(name: string, limit: number, key: string): Promise<Millis>;
  /** Runs the work when the group has a place for it. */
  run<T>(queue: GroupQueueName, accountId: string, request: Disconnectable, work: () => Promise<T>): Promise<T>;
  /** Sends a value to the other workers. */
  broadcast(topic: string, value: unknown): void;
  onBroadcast(topic: string, listener: (value: unknown) => void): void;
  /** Renders the metrics of this worker whenever another one needs them. */
  onMetrics(render: () => Promise<string>): void;
  /** Returns the metrics of all workers. */
  mergeMetrics(own: string): Promise<string>;
}
