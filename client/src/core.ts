import { composeRequest, type Params } from './compose-request.ts';
import { UsherError } from './errors.ts';

export interface UsherOptions {
  /** The address of the service, such as `https://usher.example.com`. */
  url: string;
  /** The secret of the account. It must never reach a browser. */
  secret: string;
  /** How often a request is sent again when the service says so, or cannot be reached. The default is 4. */
  retries?: number;
  /** The longest wait, in seconds, that is waited for before a retry. The default is 60; a longer one is an error. */
  maxWait?: number;
  /** After how many seconds without a response a request counts as lost. The default is 30. */
  timeout?: number;
  /** A `fetch` of your own, for a proxy or tests. */
  fetch?: typeof fetch;
}

export interface RequestOptions {
  signal?: AbortSignal;
  /**
   * Identifies what a POST creates: sent again with the same key, it creates nothing more. Every POST that creates something gets a new
   * one, so that a retry after a lost response is safe on services that support it. Give your own to repeat after a crash, too.
   */
  idempotencyKey?: string;
  /** Whether it does no harm to send this POST twice. Then it is also sent again when its response was lost. */
  repeatable?: boolean;
}

interface SendOptions extends RequestOptions {
  form?: FormData;
}

/** 502 and 504 come from proxies. After them, and after a lost response, the service may have done what was requested. */
const isUnsure = (status: number) => status === 502 || status === 504;

/** Sends requests with the secret, and sends them again where that is safe. */
export class Core {
  readonly #url: string;
  readonly #secret: string;
  readonly #retries: number;
  readonly #maxWaitMs: number;
  readonly #timeoutMs: number;
  readonly #fetch: typeof fetch;

  constructor({ url, secret, retries = 4, maxWait = 60, timeout = 30, fetch: ownFetch }: UsherOptions) {
    if (!secret) throw new TypeError('`secret` is missing');
    this.#url = new URL(url).href.replace(/\/+$/, '');
    this.#secret = secret;
    this.#retries = retries;
    this.#maxWaitMs = maxWait * 1000;
    this.#timeoutMs = timeout * 1000;
    this.#fetch = ownFetch ?? ((input, init) => fetch(input, init));
  }

  /** Returns the parsed JSON of the response, or its text if it is a file. */
  async send(operation: string, params: Params, options: SendOptions = {}): Promise<unknown> {
    const { signal, form } = options;
    const { method, url, body } = composeRequest(this.#url, operation, params, form);
    const idempotencyKey = options.idempotencyKey ?? (method === 'POST' ? crypto.randomUUID() : undefined);
    const headers = {
      Accept: 'application/json',
      'X-Account-Secret': this.#secret,
      ...(typeof body === 'string' && { 'Content-Type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    };
    // A service that does not know keys would create something again when the response was lost.
    const { repeatable = operation.startsWith('POST /v3/analyze/') || options.idempotencyKey !== undefined } = options;
    const isRepeatable = method !== 'POST' || repeatable;
    for (let attempt = 0; ; attempt++) {
      signal?.throwIfAborted();
      const mayRetry = attempt < this.#retries;
      let response: Response;
      let content: unknown;
      try {
        response = await this.#fetch(url, {
          ...{ method, headers, body: body ?? null, signal: this.#signal(signal) },
          // The secret would go to wherever a redirect leads.
          redirect: 'manual',
        });
        content = await readContent(response);
      } catch (error) {
        signal?.throwIfAborted();
        if (!mayRetry || !isRepeatable) throw error;
        await pause(backoff(attempt), signal);
        continue;
      }
      if (response.ok) return content;
      const error = new UsherError(response.status, content, response.headers);
      const waitMs = this.#waitBefore(error, attempt, isRepeatable);
      if (!mayRetry || waitMs === undefined) throw error;
      await pause(waitMs, signal);
    }
  }

  /** In how many milliseconds to send the request again; undefined if that would not help. */
  #waitBefore({ code, wait }: UsherError, attempt: number, isRepeatable: boolean): number | undefined {
    // A request with 429 has changed nothing. One that met an unavailable storage may have been stored.
    const mayRepeat = code === 429 || ((code === 503 || isUnsure(code)) && isRepeatable);
    if (!mayRepeat) return undefined;
    if (wait === undefined) return backoff(attempt);
    return wait * 1000 > this.#maxWaitMs ? undefined : wait * 1000;
  }

  #signal(signal: AbortSignal | undefined): AbortSignal {
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    return signal ? AbortSignal.any([signal, timeout]) : timeout;
  }
}

async function readContent(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!/json/.test(response.headers.get('content-type') ?? '')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8000;

/** Twice as long each time, and a random part of it, so that not all clients come back together. */
function backoff(attempt: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
