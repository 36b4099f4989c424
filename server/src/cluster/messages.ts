import type { LimitKind } from '../errors.ts';
import type { GroupQueueName } from '../group.ts';

export type CountChange = [name: string, group: string, key: string, count: number];
export type OpenChange = [name: string, key: string, change: number];

/** An `ApiError`, as data. */
export interface ErrorData {
  code: number;
  messages: string[];
  limit?: number | undefined;
  wait?: number | undefined;
  limitKind?: LimitKind | undefined;
}

/** What a worker sends to the primary process. */
export type MessageFromWorker =
  /** The worker listens for messages. Messages that were sent to it before are lost. */
  | { listening: true }
  | { ready: string }
  | { pong: true }
  | { failed: string }
  | { counts: CountChange[] }
  | { open: OpenChange[] }
  | { count: { id: number; name: string; limit: number; key: string } }
  | { enter: { id: number; queue: GroupQueueName; accountId: string } }
  | { leave: number }
  | { broadcast: { topic: string; value: unknown } }
  | { merge: { id: number; text: string } }
  | { rendered: { id: number; text: string } };

/** What the primary process sends to a worker. */
export type MessageToWorker =
  | { stop: true }
  | { ping: true }
  | { counts: CountChange[] }
  | { open: OpenChange[] }
  | { counted: { id: number; wait: number } }
  | { entered: number }
  | { rejected: { id: number; error: ErrorData } }
  | { broadcast: { topic: string; value: unknown } }
  | { render: number }
  | { merged: { id: number; text: string } };

/** A worker's connection to the primary process. */
export interface ParentProcess {
  /** The number of this worker, and how many there are. */
  worker: number;
  workers: number;
  /** Resolves when the message is sent. */
  send(message: MessageFromWorker): Promise<void>;
  onMessage(listener: (message: MessageToWorker) => void): void;
}
