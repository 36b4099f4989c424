import { setImmediate } from 'node:timers/promises';
import type { Millis } from '@usher/domain';
import type { Storage } from '../../../db/storage.ts';
import { ApiError, forbidden, limited } from '../../../errors.ts';
import type { Group, SharedOpen } from '../../../group.ts';
import { networkOf } from '../../../http/client-network.ts';
import type { EventSink } from '../../../http/event-stream.ts';
import { TwoGenerationCache } from '../../../http/two-generation-cache.ts';
import { Counter } from '../../../metrics/counter.ts';
import { gauge, type Metric } from '../../../metrics/metric.ts';
import { type StreamTicket, signTicket, TICKET_MS } from '../../../pages/stream-ticket.ts';
import { isVisitOver, type Visit } from '../../../pages/visit-token.ts';
import { findChanged } from './find-changed.ts';

declare module '../../../context.ts' {
  interface AppContext {
    /** The streams that pages have open on this server. */
    readonly pageStreams: PageStreams;
  }
}

/** How many streams may be open: in total, of one account, and from one address. With 0 in total, there are none. */
export interface StreamLimits {
  total: number;
  perAccount: number;
  perAddress: number;
}

/** What is found in one query. */
const MAX_PER_QUERY = 1000;
/** Each page that is woken sends a visit. After a large batch of events, the others are woken a second later. */
const MAX_WAKES = 500;

const END_MS: Millis = 1000;

interface PageStream {
  sink: EventSink;
  visit: Omit<Visit, 'nonce'>;
  key: string;
  wakeCount: number;
  /** When the next ticket is sent, which also keeps the connection open; 0 before the first one. */
  nextAt: Millis;
  endsAt: Millis;
}

type Message = 'ticket' | 'wake' | 'over';

export class PageStreams {
  /** The times and this number are properties, so that tests can make them smaller. */
  maxWakes = MAX_WAKES;
  readonly times = { look: 1000, ticket: 20_000, max: 15 * 60_000 };
  readonly #limits: StreamLimits;
  readonly #storage: Storage;
  readonly #now: () => Millis;
  readonly #group: Group | undefined;
  readonly #shared: SharedOpen | undefined;
  readonly #streams = new Map<string, Set<PageStream>>();
  /** How many are open of each account, from each network, and of all. */
  readonly #counts = new Map<string, number>();
  /** The tickets that were used and have not expired. */
  readonly #used = new TwoGenerationCache<true>(TICKET_MS);
  readonly #rejected = new Counter({
    name: 'usher_page_streams_rejected_total',
    help: 'Streams that pages could not open because of a limit: of all streams, of one account, or of one address.',
    label: 'limit',
    values: ['all', 'account', 'address'],
  });
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(storage: Storage, now: () => Millis, limits: StreamLimits, group?: Group) {
    this.#storage = storage;
    this.#now = now;
    this.#limits = limits;
    this.#group = group;
    this.#shared = group?.shareOpen('page streams');
    group?.onBroadcast('stream ticket', (nonce) => this.#used.set('', nonce as string, true, now()));
  }

  get isOn(): boolean {
    return this.#limits.total > 0;
  }

  /** Takes a place for a stream, or throws. Call the returned function with its sink, or without one to give the place back. */
  open({ visit, wakeCount, expiresAt, nonce }: StreamTicket, key: string, ip: string) {
    const now = this.#now();
    if (this.#isStopped) throw new ApiError(503, ['This server stops: try again in a few seconds']);
    if (expiresAt <= now || isVisitOver(visit, now) || this.#used.get('', nonce, now))
      throw forbidden('This `ticket` was used or has expired: the next visit returns another one');
    const leave = this.#enter(visit.accountId, networkOf(ip));
    this.#used.set('', nonce, true, now);
    this.#group?.broadcast('stream ticket', nonce);
    return (sink: EventSink | undefined): void => {
      if (!sink || this.#isStopped || sink.destroyed) {
        leave();
        sink?.destroy();
        return;
      }
      const { accountId, profileId, at, isProven } = visit;
      const max = this.times.max * (0.8 + 0.4 * Math.random());
      const times = { nextAt: 0, endsAt: performance.now() + max };
      const stream: PageStream = { sink, visit: { accountId, profileId, at, isProven }, key, wakeCount, ...times };
      const streams = this.#streams.get(accountId) ?? new Set();
      this.#streams.set(accountId, streams.add(stream));
      sink.once('close', () => {
        leave();
        this.#forget(stream);
      });
      this.#timer ??= setTimeout(this.#look, this.times.look);
      this.#send(stream, 'ticket');
    };
  }

  /** Ends all streams, and opens no further one. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    for (const stream of this.#list()) this.#end(stream);
  }

  readonly readMetrics = (): Metric[] => [
    gauge('usher_page_streams_open', 'Streams by which pages learn of events.', this.#counts.get('all') ?? 0),
    this.#rejected.read(),
  ];

  #enter(accountId: string, network: string): () => void {
    const { total, perAccount, perAddress } = this.#limits;
    const limits = [
      ['all', 'all', total],
      ['account', `account ${accountId}`, perAccount],
      ['address', `address ${network}`, perAddress],
    ] as const;
    for (const [name, key, limit] of limits)
      if ((this.#counts.get(key) ?? 0) + (this.#shared?.elsewhere(key) ?? 0) >= limit) {
        this.#rejected.count(name);
        throw limited('streams', 'Too many pages wait for events: ask again by a visit', limit, 60);
      }
    const add = (change: 1 | -1) => {
      for (const [, key] of limits) {
        const count = (this.#counts.get(key) ?? 0) + change;
        if (count > 0) this.#counts.set(key, count);
        else this.#counts.delete(key);
        this.#shared?.add(key, change);
      }
    };
    add(1);
    return () => add(-1);
  }

  #list(): PageStream[] {
    return [...this.#streams.values()].flatMap((streams) => [...streams]);
  }

  /** Finds whose pages must ask, and keeps the other streams open. */
  readonly #look = async (): Promise<void> => {
    let left = this.maxWakes;
    // A stream that was woken comes last in the next look, so that no account or user with many events keeps others waiting.
    for (const [accountId, streams] of [...this.#streams]) {
      const [now, time] = [this.#now(), performance.now()];
      for (const stream of streams) {
        if (stream.endsAt <= time || isVisitOver(stream.visit, now)) this.#end(stream);
        else if (stream.nextAt <= time) this.#send(stream, 'ticket');
      }
      const open = [...streams];
      for (let start = 0; start < open.length && left > 0 && !this.#isStopped; start += MAX_PER_QUERY) {
        const woken = await this.#wake(accountId, open.slice(start, start + MAX_PER_QUERY), left);
        left -= woken;
        if (woken > 0 && this.#streams.get(accountId) === streams) moveLast(this.#streams, accountId, streams);
        // On SQLite a query blocks the thread.
        await setImmediate();
      }
    }
    const isWaiting = this.#streams.size > 0 && !this.#isStopped;
    this.#timer = isWaiting ? setTimeout(this.#look, this.times.look) : undefined;
  };

  async #wake(accountId: string, streams: readonly PageStream[], max: number): Promise<number> {
    // While the database is unavailable, the page hears nothing. The next look finds what has come meanwhile.
    const changed = await findChanged(this.#storage, accountId, streams).catch(() => new Map<string, number | null>());
    let woken = 0;
    for (const stream of changed.size > 0 ? streams : []) {
      const wakeCount = changed.get(stream.visit.profileId);
      if (wakeCount === undefined || wakeCount === stream.wakeCount || woken === max) continue;
      if (wakeCount === null) {
        this.#send(stream, 'over');
        this.#end(stream);
        continue;
      }
      woken++;
      const streams = this.#streams.get(accountId);
      if (streams?.delete(stream)) streams.add(stream);
      stream.wakeCount = wakeCount;
      this.#send(stream, 'wake');
    }
    return woken;
  }

  #send(stream: PageStream, event: Message): void {
    const { sink, visit, key, wakeCount } = stream;
    if (sink.destroyed || sink.writableEnded) return;
    // It has not read what was sent long ago.
    if (event === 'ticket' && stream.nextAt > 0 && sink.writableLength > 0) {
      sink.destroy();
      return;
    }
    stream.nextAt = performance.now() + this.times.ticket;
    const ticket = event === 'over' ? '' : signTicket(key, visit, wakeCount, this.#now());
    sink.write(`event: ${event}\ndata: ${ticket}\n\n`);
  }

  #end(stream: PageStream): void {
    this.#forget(stream);
    const { sink } = stream;
    sink.end();
    // A client that does not read must not keep the server from stopping.
    setTimeout(() => !sink.writableFinished && sink.destroy(), END_MS).unref();
  }

  #forget(stream: PageStream): void {
    const { accountId } = stream.visit;
    const streams = this.#streams.get(accountId);
    streams?.delete(stream);
    if (streams?.size === 0) this.#streams.delete(accountId);
  }
}

function moveLast<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key);
  map.set(key, value);
}
