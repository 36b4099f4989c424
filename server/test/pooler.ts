import { createServer, type Socket } from 'node:net';
import pg from 'pg';

const READY = 'Z'.charCodeAt(0);
const TERMINATE = 'X'.charCodeAt(0);
const IDLE = 'I'.charCodeAt(0);

/** A pooler in transaction mode that knows nothing of prepared statements. */
export interface Pooler {
  url: string;
  close(): Promise<void>;
}

interface ServerConnection {
  stream: Socket;
  /** The client whose transaction runs on this connection. */
  owner: Socket | undefined;
}

/**
 * Lets clients share a few connections to a PostgreSQL server: each transaction of a client runs on the connection that
 * has been idle longest, so a client changes its connection whenever it can.
 */
export async function startPooler(url: string, connections: number): Promise<Pooler> {
  const streams = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client({ connectionString: url });
      client.on('error', () => {});
      await client.connect();
      return (client as unknown as { connection: { stream: Socket } }).connection.stream;
    }),
  );
  const idle: ServerConnection[] = [];
  const waiting: (() => void)[] = [];

  for (const stream of streams) {
    const connection: ServerConnection = { stream, owner: undefined };
    // The driver has authenticated; from here on its socket belongs to the pooler.
    stream.removeAllListeners('data');
    stream.on(
      'data',
      eachMessage((message) => {
        connection.owner?.write(message);
        if (message[0] !== READY || message[5] !== IDLE) return;
        connection.owner = undefined;
        idle.push(connection);
        waiting.shift()?.();
      }),
    );
    idle.push(connection);
  }

  const server = createServer((socket) => {
    let current: ServerConnection | undefined;
    let queued: Buffer[] = [];
    const flush = () => {
      if (current?.owner !== socket) current = idle.shift();
      if (!current) return waiting.push(flush);
      current.owner = socket;
      current.stream.write(Buffer.concat(queued));
      queued = [];
    };
    const forward = eachMessage((message) => {
      if (message[0] === TERMINATE) return;
      queued.push(message);
      if (queued.length === 1) setImmediate(flush);
    });
    socket.on('error', () => {});
    socket.once('data', (startup) => {
      socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, READY, 0, 0, 0, 5, IDLE]));
      socket.on('data', forward);
      const length = startup.readInt32BE(0);
      if (startup.length > length) forward(startup.subarray(length));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const pooled = new URL(url);
  pooled.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  return {
    url: pooled.href,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const stream of streams) stream.destroy();
      await closed;
    },
  };
}

/** Cuts a stream into messages: a letter, the length of the rest, the rest. */
function eachMessage(handle: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (let length = 0; rest.length >= 5; rest = rest.subarray(length)) {
      length = 1 + rest.readInt32BE(1);
      if (rest.length < length) return;
      handle(rest.subarray(0, length));
    }
  };
}
