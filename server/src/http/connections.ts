import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';
import type { Settings } from '../settings.ts';
import { networkOf } from './client-network.ts';

/** A client that sends more requests than this ahead of their responses is disconnected. */
const MAX_PIPELINED = 16;

type ConnectionSettings = Pick<
  Settings,
  'trustProxy' | 'connections' | 'connectionsPerAddress' | 'requestsPerConnection'
>;

type Exchange = [incoming: IncomingMessage, response: ServerResponse];

/** The requests of one socket. */
class Line {
  current: ServerResponse | undefined = undefined;
  readonly waiting: Exchange[] = [];
  handled = 0;

  /** A response counts as sent when the kernel has all of it: a client that does not read gets no second one. */
  get isBusy(): boolean {
    return this.current !== undefined && !this.current.writableFinished;
  }
}

/**
 * Limits what one client can make the server hold. Node parses every request of a chunk at once and keeps all their
 * responses in memory; 64 KB of pipelined requests so became gigabytes. Here each socket has one request in progress,
 * the few behind it wait unhandled, and meanwhile nothing more is read from it.
 */
export class Connections {
  readonly #queues = new WeakMap<Socket, Line>();
  readonly #perNetwork = new Map<string, number>();
  readonly #settings: ConnectionSettings;
  readonly #handle: RequestListener;

  constructor(settings: ConnectionSettings, handle: RequestListener) {
    this.#settings = settings;
    this.#handle = handle;
  }

  /** Handles a request as soon as the responses before it on its socket have been sent. */
  readonly take = (incoming: IncomingMessage, response: ServerResponse): void => {
    const { socket } = incoming;
    // Node has parsed all of a chunk before it notices that the socket is gone.
    if (socket.destroyed) return;
    const line = this.#lineOf(socket);
    if (!line.isBusy) this.#start(line, incoming, response);
    else if (line.waiting.length === MAX_PIPELINED) socket.destroy();
    else if (line.waiting.push([incoming, response]) === 1) this.#startQueue(socket, line);
  };

  /** The response that is being prepared or sent on a socket. */
  pendingOn(socket: Socket): ServerResponse | undefined {
    const line = this.#queues.get(socket);
    return line?.isBusy ? line.current : undefined;
  }

  /** Whether the response that is being prepared must be the last one on its socket. */
  isLastOn(socket: Socket): boolean {
    const { requestsPerConnection: most } = this.#settings;
    return most > 0 && (this.#queues.get(socket)?.handled ?? 0) >= most;
  }

  /** Refuses connections above the limits before anything is read from them. */
  limit(server: Server): void {
    const { trustProxy, connections, connectionsPerAddress } = this.#settings;
    if (connections > 0) server.maxConnections = connections;
    // A trusted proxy has one address for all of its clients.
    const isProxy = Array.isArray(trustProxy) ? proxyAddress.compile(trustProxy) : () => trustProxy;
    const listeners = server.listeners('connection');
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      const { remoteAddress = '' } = socket;
      const isCounted = connectionsPerAddress > 0 && !isProxy(remoteAddress, 0);
      if (isCounted && !this.#count(socket, networkOf(remoteAddress), connectionsPerAddress)) socket.destroy();
      else for (const listener of listeners) listener.call(server, socket);
    });
  }

  #count(socket: Socket, network: string, most: number): boolean {
    const open = this.#perNetwork.get(network) ?? 0;
    if (open >= most) return false;
    this.#perNetwork.set(network, open + 1);
    socket.once('close', () => {
      const left = (this.#perNetwork.get(network) ?? 1) - 1;
      if (left > 0) this.#perNetwork.set(network, left);
      else this.#perNetwork.delete(network);
    });
    return true;
  }

  #start(line: Line, incoming: IncomingMessage, response: ServerResponse): void {
    line.current = response;
    line.handled += 1;
    this.#handle(incoming, response);
  }

  #startQueue(socket: Socket, line: Line): void {
    // Node resumes the socket after each message that it has parsed.
    const stayPaused = () => void socket.pause();
    const next = () => {
      // The response before was the last one on this socket.
      if (socket.destroyed || socket.writableEnded) return;
      const [incoming, response] = line.waiting.shift() as Exchange;
      if (line.waiting.length > 0) response.once('finish', next);
      else {
        socket.off('resume', stayPaused);
        socket.resume();
      }
      this.#start(line, incoming, response);
    };
    line.current?.once('finish', next);
    socket.on('resume', stayPaused);
    socket.pause();
  }

  #lineOf(socket: Socket): Line {
    const known = this.#queues.get(socket);
    if (known) return known;
    const line = new Line();
    this.#queues.set(socket, line);
    return line;
  }
}
