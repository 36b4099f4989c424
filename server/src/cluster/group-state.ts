import { ApiError } from '../errors.ts';
import { Passwords } from '../features/team/persons/passwords.ts';
import type { Disconnectable, GroupQueueName } from '../group.ts';
import { SharedCounters } from '../http/limits.ts';
import { RequestQueues } from '../http/request-queues.ts';
import type { Settings } from '../settings/settings.ts';
import { keepCounters, mergeMetrics } from './merge-metrics.ts';
import type { MessageFromWorker, MessageToWorker, OpenChange } from './messages.ts';

/** If a worker takes longer to render its metrics, the last ones that it sent are used. */
const RENDER_WAIT_MS = 2000;
/** The merged metrics are cached for this long: anyone may request them, and this process has more important work. */
const REUSE_MS = 500;

interface Member {
  send(message: MessageToWorker): void;
  /** What is open in this worker, such as connections, by name and key. */
  open: Map<string, OpenChange>;
  /** The requests of the worker that have a place in a queue or wait for one, each with the function that ends it. */
  entries: Map<number, () => void>;
  /** The metrics that the worker has sent last. */
  metrics: string;
}

type Enter = (accountId: string, request: Disconnectable, work: () => Promise<void>) => Promise<void>;

/** What the primary process knows about its workers. It passes on what they count, and has the queues of the group. */
export class GroupState {
  readonly #members = new Map<number, Member>();
  readonly #queues: Record<GroupQueueName, Enter>;
  readonly #counters = new Map<string, SharedCounters>();
  readonly #renderOwn: () => string;
  readonly #rendering = new Map<number, (text: string) => void>();
  /** The counters of workers that have ended. */
  #ended = '';
  #lastRender = 0;
  #merged: Promise<string> | undefined;

  constructor(settings: Pick<Settings, 'bodyTimeout' | 'requestTimeout'>, renderOwn: () => string) {
    this.#renderOwn = renderOwn;
    this.#queues = createQueues(settings);
  }

  /** Adds a worker that has started. It learns what is open in the others. */
  join(worker: number, send: Member['send']): void {
    const open = [...this.#members.values()].flatMap((member) => [...member.open.values()]);
    this.#members.set(worker, { send, open: new Map(), entries: new Map(), metrics: '' });
    if (open.length > 0) send({ open });
  }

  /** Removes a worker that has ended, with everything that it had open. */
  leave(worker: number): void {
    const member = this.#members.get(worker);
    if (!member) return;
    this.#members.delete(worker);
    for (const end of member.entries.values()) end();
    this.#ended = mergeMetrics([this.#ended, keepCounters(member.metrics)]);
    const closed = [...member.open.values()].map(([name, key, count]): OpenChange => [name, key, -count]);
    if (closed.length > 0) this.#sendToOthers(worker, { open: closed });
  }

  receive(worker: number, message: MessageFromWorker): void {
    const member = this.#members.get(worker);
    if (!member) return;
    if ('counts' in message || 'broadcast' in message) this.#sendToOthers(worker, message);
    else if ('open' in message) {
      for (const change of message.open) addOpen(member.open, change);
      this.#sendToOthers(worker, message);
    } else if ('count' in message) this.#count(member, message.count);
    else if ('enter' in message) this.#enter(member, message.enter);
    else if ('leave' in message) member.entries.get(message.leave)?.();
    else if ('rendered' in message) this.#rendering.get(message.rendered.id)?.(message.rendered.text);
    else if ('merge' in message) this.#merge(member, message.merge);
  }

  #sendToOthers(worker: number, message: MessageToWorker): void {
    for (const [number, { send }] of this.#members) if (number !== worker) send(message);
  }

  #count(member: Member, { id, name, limit, key }: { id: number; name: string; limit: number; key: string }): void {
    const counters = this.#counters.get(name) ?? new SharedCounters(name, Date.now);
    this.#counters.set(name, counters);
    const wait = counters.wait(limit, '', key);
    if (wait === 0) counters.add('', key);
    member.send({ counted: { id, wait } });
  }

  #enter(member: Member, { id, queue, accountId }: { id: number; queue: GroupQueueName; accountId: string }): void {
    const disconnection = new AbortController();
    const left = new Promise<void>((resolve) => {
      member.entries.set(id, () => {
        disconnection.abort();
        resolve();
      });
    });
    const start = () => {
      member.send({ entered: id });
      return left;
    };
    this.#queues[queue](accountId, disconnection, start)
      .catch((error) => member.send({ rejected: { id, error: toErrorData(error) } }))
      .finally(() => member.entries.delete(id));
  }

  async #merge(member: Member, { id, text }: { id: number; text: string }): Promise<void> {
    member.metrics = text;
    this.#merged ??= this.#mergeAll(member).finally(() => {
      setTimeout(() => {
        this.#merged = undefined;
      }, REUSE_MS).unref();
    });
    member.send({ merged: { id, text: await this.#merged } });
  }

  /** @param current a worker that has just rendered its metrics */
  async #mergeAll(current: Member): Promise<string> {
    const others = [...this.#members.values()].filter((other) => other !== current);
    await Promise.all(others.map((other) => this.#renderOther(other)));
    const texts = [...this.#members.values()].map(({ metrics }) => metrics);
    return mergeMetrics([...texts, this.#ended, this.#renderOwn()]);
  }

  async #renderOther(member: Member): Promise<void> {
    this.#lastRender += 1;
    const id = this.#lastRender;
    const text = await new Promise<string | undefined>((resolve) => {
      const timer = setTimeout(() => resolve(undefined), RENDER_WAIT_MS);
      this.#rendering.set(id, (rendered) => {
        clearTimeout(timer);
        resolve(rendered);
      });
      member.send({ render: id });
    });
    this.#rendering.delete(id);
    if (text !== undefined) member.metrics = text;
  }
}

/** The queues of a server of one process, which its workers share. */
function createQueues({ bodyTimeout, requestTimeout }: Pick<Settings, 'bodyTimeout' | 'requestTimeout'>) {
  const { batches, uploads, heavyReads } = new RequestQueues(Date.now, bodyTimeout * 1000, requestTimeout);
  const passwords = new Passwords();
  const queues: Record<GroupQueueName, Enter> = {
    'batches.accepted': (...entry) => batches.accepted.run(...entry),
    'batches.processing': (...entry) => batches.processing.run(...entry),
    'uploads.accepted': (...entry) => uploads.accepted.run(...entry),
    'uploads.processing': (...entry) => uploads.processing.run(...entry),
    'reads.search': (...entry) => heavyReads.runKind('search', ...entry),
    'reads.count': (...entry) => heavyReads.runKind('count', ...entry),
    'reads.report': (...entry) => heavyReads.runKind('report', ...entry),
    'passwords.known': (_network, _request, work) => passwords.run(null, work),
    'passwords.unknown': (network, _request, work) => passwords.run(network, work),
  };
  return queues;
}

function addOpen(open: Map<string, OpenChange>, [name, key, change]: OpenChange): void {
  const id = `${name}\0${key}`;
  const count = (open.get(id)?.[2] ?? 0) + change;
  if (count === 0) open.delete(id);
  else open.set(id, [name, key, count]);
}

function toErrorData(error: unknown) {
  if (error instanceof ApiError) {
    const { code, messages, limit, wait, limitKind } = error;
    return { code, messages, limit, wait, limitKind };
  }
  return { code: 500, messages: ['The request could not be queued'] };
}
