import { get, type IncomingMessage } from 'node:http';
import { expect } from 'vitest';
import type { Api } from './api.ts';

/** What the server sends: the name of the event, and the next ticket. */
export interface StreamEvent {
  event: string;
  data: string;
}

/** The stream of a page. */
export class Followed {
  readonly response: IncomingMessage;
  readonly #events: StreamEvent[] = [];
  #waiting: (() => void) | undefined;
  #rest = '';
  isOver = false;

  constructor(response: IncomingMessage) {
    this.response = response;
    response.setEncoding('utf8').on('data', (text: string) => {
      const parts = (this.#rest + text).split('\n\n');
      this.#rest = parts.pop() ?? '';
      for (const part of parts) {
        const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(part) ?? [];
        this.#events.push({ event, data });
      }
      this.#waiting?.();
    });
    response.on('error', () => {});
    response.on('close', () => {
      this.isOver = true;
      this.#waiting?.();
    });
  }

  /** The next event, without the tickets in between; undefined at the end, or if nothing comes within the time. */
  async next(ms = 5000): Promise<string | undefined> {
    const until = performance.now() + ms;
    for (;;) {
      const found = this.#events.find(({ event }) => event !== 'ticket');
      if (found) {
        this.#events.splice(0, this.#events.indexOf(found) + 1);
        this.ticket = found.data;
        return found.event;
      }
      this.ticket = this.#events.at(-1)?.data ?? this.ticket;
      const left = until - performance.now();
      if (this.isOver || left <= 0) return undefined;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#waiting = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** The last ticket that has come. */
  ticket = '';

  /** Resolves when the server has ended the stream. */
  async ended(): Promise<boolean> {
    while (!this.isOver) if ((await this.next()) === undefined && !this.isOver) return false;
    return true;
  }

  close(): void {
    this.response.destroy();
  }
}

/** Opens a stream. Returns the status and the body if the server rejects it. */
export async function follow(
  { url }: Pick<Api, 'url'>,
  ticket: string,
  { headers = {}, path = '/v3/observe/stream' }: { headers?: Record<string, string>; path?: string } = {},
): Promise<Followed | { status: number; body: { messages: string[] } }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get(`${url}${path}?ticket=${encodeURIComponent(ticket)}`, { headers, agent: false }, resolve).on('error', reject),
  );
  if (response.statusCode === 200) return new Followed(response);
  const text = Buffer.concat(await response.toArray()).toString();
  return { status: response.statusCode ?? 0, body: JSON.parse(text) };
}

export async function followed(...args: Parameters<typeof follow>): Promise<Followed> {
  const stream = await follow(...args);
  if (!(stream instanceof Followed)) throw new Error(JSON.stringify(stream));
  expect(stream.response.headers['content-type']).toBe('text/event-stream');
  return stream;
}
