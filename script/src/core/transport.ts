import { parseResponse } from '../engine/parse-response.ts';

interface ServerResponse {
  /** 0 when there was no response. */
  status: number;
  body?: Record<string, unknown>;
}

/** Sends JSON to the server. */
export interface Transport {
  /** Never rejects. With `keepalive`, the request outlives the page. */
  post(path: string, body: object, keepalive?: boolean): Promise<ServerResponse>;
  /** Sends without waiting for a response. Returns false when the browser does not accept it. */
  beacon(path: string, body: object): boolean;
}

export function createTransport(baseUrl = ''): Transport {
  return {
    post: async (path, body, keepalive = true) => {
      try {
        // Without a content type of its own, the request needs no preflight.
        const response = await fetch(baseUrl + path, {
          ...{ method: 'POST', body: JSON.stringify(body), credentials: 'omit', keepalive },
        });
        return { status: response.status, body: parseResponse(await response.text()) };
      } catch {
        return { status: 0 };
      }
    },
    beacon: (path, body) => navigator.sendBeacon(baseUrl + path, JSON.stringify(body)),
  };
}
