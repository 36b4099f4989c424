import type { ServerResponse } from 'node:http';
import { HttpResponse } from './http-response.ts';

/** Where events are written to. */
export type EventSink = Pick<
  ServerResponse,
  'write' | 'end' | 'destroy' | 'once' | 'destroyed' | 'writableEnded' | 'writableFinished' | 'writableLength'
>;

/**
 * A stream of server-sent events that stays open without a request in progress: ten thousand of them wait at a time, so nothing of the
 * request is kept but its response.
 */
export class EventStream extends HttpResponse {
  /** Is called when the headers were sent; without a response if nothing but them was asked for. */
  readonly begin: (sink: EventSink | undefined) => void;

  constructor(begin: EventStream['begin']) {
    super(200, '', [
      ...['cache-control', 'no-store, no-transform', 'content-type', 'text/event-stream'],
      // Without it, nginx would collect the events.
      ...['x-accel-buffering', 'no'],
    ]);
    this.begin = begin;
  }
}
