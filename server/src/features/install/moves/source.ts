import { isRecord, type Millis } from '@usher/domain';
import { messageOf } from '../../../error-code.ts';

interface SourceResponse {
  status: number;
  header(name: string): string | null;
  text: string;
}
/** Sends one request, and throws if there is no response. */
export type SendRequest = (
  url: string,
  request: { method: string; headers: Record<string, string>; body?: string },
) => Promise<SourceResponse>;

/** Reads a file without the secret, and throws if there is no response. A larger one may be cut. */
export type ReadFile = (
  url: string,
  file: { maxBytes: number; isOfSource: boolean },
) => Promise<{ status: number; bytes: Buffer }>;

/** A record of the other service. */
export type SourceRecord = Record<string, unknown> & { id: string };

/** The other service has rejected a request that it may accept in another form, or does not know it. */
export class SourceRejection extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The other service cannot be used any more: the move stops, and can be continued later. */
export class SourceFailure extends Error {}

export interface SourceOptions {
  address: string;
  secret: string;
  send: SendRequest;
  readFile: ReadFile;
  requestsPerMinute: number;
  now(): Millis;
  wait(time: Millis): Promise<void>;
  /** Called before each request. */
  onRequest?(): void;
  /** How often a request is sent at most when the other service does not work. */
  maxTries?: number;
  /** When requests were sent, for clients that share one limit. */
  sentAt?: Millis[];
  /** Answers that are read again in a dry run. */
  answers?: Map<string, Record<string, unknown>>;
}

type Params = Record<string, string>;

const MINUTE_MS = 60_000;
const MAX_TRIES = 6;
/** Some services accept only small pages. */
const pageSizes = [500, 250, 100, 50, 25, 10];

/** Reads from another v3 service, not faster than it allows. */
export class Source {
  readonly #options: SourceOptions;
  readonly #sentAt: Millis[];
  /** Why the files of a server cannot be read. */
  readonly #unreachable = new Map<string, string>();
  pageSize: number;

  constructor(options: SourceOptions, pageSize = 500) {
    this.#options = options;
    this.#sentAt = options.sentAt ?? [];
    this.pageSize = pageSize;
  }

  async get(path: string, params: Params = {}): Promise<Record<string, unknown>> {
    const { answers } = this.#options;
    const query = new URLSearchParams(params).toString();
    const target = query ? `${path}?${query}` : path;
    const answer = answers?.get(target) ?? (await this.#request('GET', target));
    answers?.set(target, answer);
    return answer;
  }

  /** Reads one page of a list, and returns where the next one begins. */
  async page(
    path: string,
    key: string,
    params: Params,
    filters?: readonly object[],
  ): Promise<{ records: SourceRecord[]; next: string | null }> {
    for (;;) {
      const limit = String(this.pageSize);
      try {
        const body = await (filters
          ? this.#request('POST', path, { ...params, limit: this.pageSize, filters })
          : this.get(path, { ...params, limit }));
        return { records: readList(body, key), next: readNext(body, params.before) };
      } catch (error) {
        const smaller = pageSizes.find((size) => size < this.pageSize);
        if (!(error instanceof SourceRejection) || error.status !== 422 || smaller === undefined) throw error;
        if (!/limit/i.test(error.message)) throw error;
        this.pageSize = smaller;
      }
    }
  }

  /** Reads a whole list, oldest first. */
  async list(path: string, key: string, params: Params = {}): Promise<SourceRecord[]> {
    const all = new Map<string, SourceRecord>();
    for (let before: string | null = ''; before !== null; ) {
      const page: Awaited<ReturnType<Source['page']>> = await this.page(path, key, {
        ...params,
        ...(before && { before }),
      });
      for (const record of page.records) all.set(record.id, record);
      before = page.next;
    }
    return [...all.values()].reverse();
  }

  /** Reads a list that the other service may not have. */
  async listIfKnown(path: string, key: string, params: Params = {}): Promise<SourceRecord[]> {
    try {
      return await this.list(path, key, params);
    } catch (error) {
      if (error instanceof SourceRejection) return [];
      throw error;
    }
  }

  /** Reads a picture of the other service, or of another server that its texts name. */
  async file(address: string, maxBytes: number): Promise<Buffer> {
    const { address: own, readFile } = this.#options;
    const url = new URL(address, own);
    const { origin } = url;
    const problem = this.#unreachable.get(origin);
    if (problem !== undefined) throw new Error(problem);
    const isOfSource = origin === new URL(own).origin;
    if (isOfSource) await this.#takeTurn();
    const response = await readFile(url.href, { maxBytes, isOfSource }).catch((error) => {
      // A server that does not answer must not keep the move waiting for each of its pictures.
      this.#unreachable.set(origin, messageOf(error));
      throw error;
    });
    if (response.status !== 200) throw new Error(`its server answered ${response.status}`);
    return response.bytes;
  }

  async #request(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const { address, secret, send, wait, onRequest, maxTries = MAX_TRIES } = this.#options;
    const headers = { 'x-account-secret': secret, accept: 'application/json', 'content-type': 'application/json' };
    for (let tries = 1; ; tries++) {
      await this.#takeTurn();
      onRequest?.();
      let response: SourceResponse;
      try {
        response = await send(`${address}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      } catch (error) {
        if (tries >= maxTries) throw new SourceFailure(`${address} cannot be reached: ${messageOf(error)}`);
        await wait(2 ** tries * 500);
        continue;
      }
      const answer = parse(response.text);
      const { status } = response;
      if (status === 429) {
        await wait(readWait(response, answer));
        tries = 0;
      } else if (status >= 500) {
        if (tries >= maxTries) throw new SourceFailure(`${address} answered ${status}`);
        await wait(2 ** tries * 500);
      } else if (status === 401 || status === 403)
        throw new SourceFailure(`${address} rejects the secret: ${describe(answer)}`);
      else if (status >= 300) throw new SourceRejection(status, describe(answer) || `${path} answered ${status}`);
      else if (isRecord(answer)) return answer;
      else throw new SourceFailure(`${address}${path.split('?')[0]} did not answer with JSON`);
    }
  }

  /** Waits until a request is within the limit. */
  async #takeTurn(): Promise<void> {
    const { requestsPerMinute, now, wait } = this.#options;
    while (this.#sentAt.length >= requestsPerMinute) {
      const rest = (this.#sentAt[0] ?? 0) + MINUTE_MS - now();
      if (rest > 0) await wait(rest);
      this.#sentAt.shift();
    }
    this.#sentAt.push(now());
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describe(answer: unknown): string {
  const messages = isRecord(answer) ? answer.messages : undefined;
  return Array.isArray(messages) ? messages.join('; ') : '';
}

function readWait(response: SourceResponse, answer: unknown): Millis {
  const named = isRecord(answer) ? Number(answer.wait) : Number.NaN;
  const seconds = [
    named,
    ...['retry-after', 'x-retry-after'].map((name) => Number(response.header(name) ?? Number.NaN)),
  ];
  return 1000 * Math.min(Math.max(seconds.find((value) => value > 0) ?? 60, 1), 600);
}

/** A list has the name of its noun. The samples of some services have another one, so that any list is taken. */
function readList(body: Record<string, unknown>, key: string): SourceRecord[] {
  const found =
    body[key] ?? Object.entries(body).find(([name, value]) => name !== 'cursor' && Array.isArray(value))?.[1];
  return Array.isArray(found) ? found.filter((record) => isRecord(record) && typeof record.id === 'string') : [];
}

function readNext({ cursor }: Record<string, unknown>, before: string | undefined): string | null {
  const next = isRecord(cursor) ? cursor.before : null;
  return typeof next === 'string' && next !== before ? next : null;
}
