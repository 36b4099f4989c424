import { ApiError } from '../errors.ts';
import type { AddCount, Group, SharedOpen } from '../group.ts';
import type { CountChange, ErrorData, MessageToWorker, OpenChange, ParentProcess } from './messages.ts';

/** Workers share their counts this often, so a limit of the group can be exceeded by what arrives in between. */
const SHARE_INTERVAL_MS = 100;

interface Waiting {
  start(): void;
  reject(error: ApiError): void;
}

/** The group, as one of its workers sees it: everything goes through the primary process. */
export function joinGroup(parent: ParentProcess): Group {
  const { worker } = parent;
  const countListeners = new Map<string, AddCount>();
  const openElsewhere = new Map<string, Map<string, number>>();
  const broadcastListeners = new Map<string, (value: unknown) => void>();
  const waiting = new Map<number, Waiting>();
  const merging = new Map<number, (text: string) => void>();
  const counting = new Map<number, (wait: number) => void>();
  const counts = new Changes<CountChange>((changes) => parent.send({ counts: changes }));
  const opened = new Changes<OpenChange>((changes) => parent.send({ open: changes }));
  let render: () => Promise<string> = async () => '';
  let lastId = 0;

  parent.onMessage((message: MessageToWorker) => {
    if ('counts' in message)
      for (const [name, group, key, count] of message.counts) countListeners.get(name)?.(group, key, count);
    else if ('open' in message)
      for (const [name, key, change] of message.open) addTo(mapOf(openElsewhere, name), key, change);
    else if ('counted' in message) counting.get(message.counted.id)?.(message.counted.wait);
    else if ('entered' in message) waiting.get(message.entered)?.start();
    else if ('rejected' in message) waiting.get(message.rejected.id)?.reject(toApiError(message.rejected.error));
    else if ('broadcast' in message) broadcastListeners.get(message.broadcast.topic)?.(message.broadcast.value);
    else if ('merged' in message) merging.get(message.merged.id)?.(message.merged.text);
    else if ('ping' in message) parent.send({ pong: true });
    else if ('render' in message) {
      const id = message.render;
      render().then((text) => parent.send({ rendered: { id, text } }));
    }
  });

  parent.send({ listening: true });

  return {
    worker,
    shareCounts: (name, onAdded) => {
      countListeners.set(name, onAdded);
      return (group, key, count) => counts.add([name, group, key], count);
    },
    shareOpen: (name): SharedOpen => {
      const elsewhere = mapOf(openElsewhere, name);
      return {
        elsewhere: (key) => elsewhere.get(key) ?? 0,
        add: (key, change) => opened.add([name, key], change),
      };
    },
    countExactly: async (name, limit, key) => {
      lastId += 1;
      const id = lastId;
      const counted = new Promise<number>((resolve) => counting.set(id, resolve));
      parent.send({ count: { id, name, limit, key } });
      return counted.finally(() => counting.delete(id));
    },
    run: async (queue, accountId, request, work) => {
      lastId += 1;
      const id = lastId;
      const leave = () => parent.send({ leave: id });
      try {
        await new Promise<void>((resolve, reject) => {
          waiting.set(id, { start: resolve, reject });
          // When the client disconnects, the primary process rejects the request, as a queue of a single process does.
          request.signal.addEventListener('abort', leave, { once: true });
          parent.send({ enter: { id, queue, accountId } });
          if (request.signal.aborted) leave();
        }).finally(() => request.signal.removeEventListener('abort', leave));
        return await work();
      } finally {
        waiting.delete(id);
        leave();
      }
    },
    broadcast: (topic, value) => void parent.send({ broadcast: { topic, value } }),
    onBroadcast: (topic, listener) => void broadcastListeners.set(topic, listener),
    onMetrics: (renderOwn) => {
      render = renderOwn;
    },
    mergeMetrics: async (text) => {
      lastId += 1;
      const id = lastId;
      const merged = new Promise<string>((resolve) => merging.set(id, resolve));
      parent.send({ merge: { id, text } });
      return merged.finally(() => merging.delete(id));
    },
  };
}

/** Collects changes by key, and sends their sums together. */
class Changes<Change extends [...string[], number]> {
  readonly #send: (changes: Change[]) => void;
  #pending = new Map<string, Change>();
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (changes: Change[]) => void) {
    this.#send = send;
  }

  add(names: string[], change: number): void {
    const key = names.join('\0');
    const known = this.#pending.get(key);
    if (known) (known[known.length - 1] as number) += change;
    else this.#pending.set(key, [...names, change] as unknown as Change);
    this.#timer ??= setTimeout(() => this.#flush(), SHARE_INTERVAL_MS).unref();
  }

  #flush(): void {
    this.#timer = undefined;
    const changes = [...this.#pending.values()].filter((change) => change.at(-1) !== 0);
    this.#pending = new Map();
    if (changes.length > 0) this.#send(changes);
  }
}

function mapOf(maps: Map<string, Map<string, number>>, name: string): Map<string, number> {
  const map = maps.get(name) ?? new Map<string, number>();
  maps.set(name, map);
  return map;
}

function addTo(sums: Map<string, number>, key: string, change: number): void {
  const sum = (sums.get(key) ?? 0) + change;
  if (sum > 0) sums.set(key, sum);
  else sums.delete(key);
}

function toApiError({ code, messages, limit, wait, limitKind }: ErrorData): ApiError {
  return new ApiError(code, messages, limit, wait, undefined, limitKind);
}
