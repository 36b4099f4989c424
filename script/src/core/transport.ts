import { parseResponse } from '../engine/parse-response.ts';

const TIMEOUT_MS = 10_000;
const MAX_LOG = 20;

export interface ServerResponse {
  /** 0 when there was no response. */
  status: number;
  body?: Record<string, unknown>;
}

/** A request that was sent, for the debug panel. */
interface LoggedRequest {
  path: string;
  /** 0 when there was no response. */
  status: number;
  /** The messages of the error, if the server rejected the request. */
  messages?: unknown;
  /** When the request began and ended, by `performance.now()`. */
  startedAt: number;
  endedAt: number;
}

/** Sends JSON to the server. */
export interface Transport {
  /** The last requests, the newest first. */
  readonly log: readonly LoggedRequest[];
  /** Sends a request. The promise never rejects. With `keepalive`, the request outlives the page. */
  post(path: string, body: object, keepalive?: boolean): Promise<ServerResponse>;
  /** Sends without waiting for a response. Returns false when the browser does not accept it. */
  beacon(path: string, body: object): boolean;
}

export function createTransport(baseUrl = ''): Transport {
  const log: LoggedRequest[] = [];
  return {
    log,
    post: async (path, body, keepalive = true) => {
      const startedAt = performance.now();
      let result: ServerResponse = { status: 0 };
      try {
        // Without a content type, the request needs no preflight.
        const response = await fetch(baseUrl + path, {
          ...{ method: 'POST', body: JSON.stringify(body), credentials: 'omit', keepalive },
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        result = { status: response.status, body: parseResponse(await response.text()) };
      } catch {}
      const { status } = result;
      log.unshift({ path, status, messages: result.body?.messages, startedAt, endedAt: performance.now() });
      log.splice(MAX_LOG);
      return result;
    },
    beacon: (path, body) => navigator.sendBeacon(baseUrl + path, JSON.stringify(body)),
  };
}
