import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';
import type { SharedOpen } from '../group.ts';
import { Counter } from '../metrics/counter.ts';
import type { Settings } from '../settings/settings.ts';
import { networkOf } from './client-network.ts';

/** A client that sends more requests than this ahead of their responses is disconnected. */
const MAX_PIPELINED = 16;
/** The key of the count of all connections. No network has this name. */
const ALL_NETWORKS = '*';

type ConnectionSettings = Pick<
  Settings,
  'trustProxy' | 'connections' | 'connectionsPerAddress' | 'requestsPerConnection'
>;

type Exchange = [incoming: IncomingMessage, response: ServerResponse];

/** The requests of one socket, which are handled one after the other. */
class SocketQueue {
  current: ServerResponse | undefined = undefined;
  readonly waiting: Exchange[] = [];
  handled = 0;

  /** A response counts as sent when the kernel has all of it: a client that does not read gets no second response. */
  get isBusy(): boolean {
    return this.current !== undefined && !this.current.writableFinished;
  }
}

/**
 * Limits how much memory one client can use. Node parses all requests of a chunk and keeps all their responses in memory,
 * so 64 KB of pipelined requests became gigabytes. Here each socket has one request in progress. A few others wait
 * unhandled, and meanwhile nothing more is read from the socket.
 */
export class Connections {
  readonly #queues = new WeakMap<Socket, SocketQueue>();
  readonly #perNetwork = new Map<string, number>();
  readonly #settings: ConnectionSettings;
  readonly #handleRequest: RequestListener;
  /** The connections that the other workers have open. */
  readonly #shared: SharedOpen | undefined;
  #open = 0;
  /** Connections that were closed because there were too many, in total or from one address. */
  readonly rejected = new Counter({
    name: 'usher_connections_rejected_total',
    help: 'Connections that were closed because of a limit: of all connections, or of those from one address.',
    label: 'limit',
    values: ['all', 'address'],
  });

  constructor(settings: ConnectionSettings, handleRequest: RequestListener, shared?: SharedOpen) {
    this.#settings = settings;
    this.#shared = shared;
    this.#handleRequest = handleRequest;
  }

  /** Handles a request as soon as the responses before it on its socket have been sent. */
  readonly handle = (incoming: IncomingMessage, response: ServerResponse): void => {
    const { socket } = incoming;
    // Node parses a whole chunk before it notices that the socket was destroyed.
    if (socket.destroyed) return;
    const queue = this.#queueOf(socket);
    if (!queue.isBusy) this.#start(queue, incoming, response);
    else if (queue.waiting.length === MAX_PIPELINED) socket.destroy();
    else if (queue.waiting.push([incoming, response]) === 1) this.#startQueue(socket, queue);
  };

  /** The response that is being prepared or sent on a socket. */
  pendingOn(socket: Socket): ServerResponse | undefined {
    const queue = this.#queues.get(socket);
    return queue?.isBusy ? queue.current : undefined;
  }

  /** Whether the response that is being prepared must be the last one on its socket. */
  isLastOn(socket: Socket): boolean {
    const { requestsPerConnection: limit } = this.#settings;
    return limit > 0 && (this.#queues.get(socket)?.handled ?? 0) >= limit;
  }

  /** Rejects connections above the limits before anything is read from them. */
  limit(server: Server): void {
    const { trustProxy, connections, connectionsPerAddress } = this.#settings;
    // Node would count only the connections of this worker.
    if (connections > 0 && !this.#shared) server.maxConnections = connections;
    server.on('drop', () => this.rejected.count('all'));
    // A trusted proxy has one address for all of its clients.
    const isProxy = Array.isArray(trustProxy) ? proxyAddress.compile(trustProxy) : () => trustProxy;
    const listeners = server.listeners('connection');
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      const { remoteAddress = '' } = socket;
      const isCounted = connectionsPerAddress > 0 && !isProxy(remoteAddress, 0);
      const limit =
        this.#shared && !this.#countInGroup(socket, connections, this.#shared)
          ? 'all'
          : isCounted && !this.#count(socket, networkOf(remoteAddress), connectionsPerAddress)
            ? 'address'
            : undefined;
      if (limit) {
        this.rejected.count(limit);
        socket.destroy();
      } else for (const listener of listeners) listener.call(server, socket);
    });
  }

  #count(socket: Socket, network: string, limit: number): boolean {
    const open = this.#perNetwork.get(network) ?? 0;
    if (open + (this.#shared?.elsewhere(network) ?? 0) >= limit) return false;
    this.#perNetwork.set(network, open + 1);
    this.#shared?.add(network, 1);
    socket.once('close', () => {
      this.#shared?.add(network, -1);
      const left = (this.#perNetwork.get(network) ?? 1) - 1;
      if (left > 0) this.#perNetwork.set(network, left);
      else this.#perNetwork.delete(network);
    });
    return true;
  }

  #countInGroup(socket: Socket, limit: number, shared: SharedOpen): boolean {
    if (limit > 0 && this.#open + shared.elsewhere(ALL_NETWORKS) >= limit) return false;
    this.#open += 1;
    shared.add(ALL_NETWORKS, 1);
    socket.once('close', () => {
      this.#open -= 1;
      shared.add(ALL_NETWORKS, -1);
    });
    return true;
  }

  #start(queue: SocketQueue, incoming: IncomingMessage, response: ServerResponse): void {
    queue.current = response;
    queue.handled += 1;
    this.#handleRequest(incoming, response);
  }

  #startQueue(socket: Socket, queue: SocketQueue): void {
    // Node resumes the socket after each message that it has parsed.
    const stayPaused = () => void socket.pause();
    const next = () => {
      // The previous response was the last one on this socket.
      if (socket.destroyed || socket.writableEnded) return;
      const [incoming, response] = queue.waiting.shift() as Exchange;
      if (queue.waiting.length > 0) response.once('finish', next);
      else {
        socket.off('resume', stayPaused);
        socket.resume();
      }
      this.#start(queue, incoming, response);
    };
    queue.current?.once('finish', next);
    socket.on('resume', stayPaused);
    socket.pause();
  }

  #queueOf(socket: Socket): SocketQueue {
    const known = this.#queues.get(socket);
    if (known) return known;
    const queue = new SocketQueue();
    this.#queues.set(socket, queue);
    return queue;
  }
}
