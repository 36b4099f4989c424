import type { Caller } from '../context.ts';
import type { StorageAddress } from '../db/storage.ts';
import type { ApiError } from '../errors.ts';
import type { ExportTarget } from '../exports/run-export.ts';
import type { RawParams } from '../http/params.ts';
import type { Settings } from '../settings/settings.ts';

export const MAX_BATCH_BYTES = 16 * 1024 * 1024;

/** What the batch thread is started with. */
export interface WorkerSettings {
  address: StorageAddress;
  masterKeys: readonly Uint8Array[];
  publicUrl: string;
  minFreeDisk: number;
  logLevel: Settings['logLevel'];
  /** Fields of every line of the log. */
  logFields: object | undefined;
  requestActivity: SharedArrayBuffer;
}

/** A chunk of a body. Chunks are sent in their order. */
export interface BodyChunk {
  bodyId: number;
  /** The length of the whole body, if it is known. */
  length: number | undefined;
  bytes: Uint8Array;
}

/** Parses the parameters of a request, and keeps its list of items in the thread. */
export interface ParseJob {
  bodyId: number;
  /** The name of the parameter with the list. */
  batch: string;
  request: Omit<RawParams, 'body'>;
}

/** Stores the list that was kept. */
export interface StoreJob {
  bodyId: number;
  path: string;
  caller: Caller;
  parameters: Record<string, unknown>;
}

/** Runs an import that this process has claimed. */
export interface ImportJob {
  bodyId: number;
  accountId: string;
  id: string;
  claim: string;
}

/** Exports rows for a warehouse, after this process has claimed it. */
export interface ExportJob {
  bodyId: number;
  target: ExportTarget;
}

export type Job = { parse: ParseJob } | { store: StoreJob } | { runImport: ImportJob } | { runExport: ExportJob };
export type MessageToWorker =
  | Job
  | { chunk: BodyChunk }
  | { discard: number }
  | { stopImports: true }
  | { stopExport: true }
  | { stop: true };

/** A body has one job at a time, so its ID names the job. An import has an ID of the same kind, without a body. */
export interface MessageFromWorker {
  bodyId: number;
  result: JobResult;
}

export type JobResult =
  | { value: unknown }
  | { apiError: Pick<ApiError, 'code' | 'messages' | 'limit' | 'wait'> }
  | { error: { message: string; stack: string | undefined; code: unknown } };
