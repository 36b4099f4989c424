import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy that can stop forwarding without closing anything, as a broken network does. */
interface SilentProxy {
  url: string;
  /** From now on nothing more arrives on the open connections, not even their end. New connections work. */
  loseConnections(): void;
  close(): Promise<void>;
}

export async function startSilentProxy(url: string): Promise<SilentProxy> {
  const target = new URL(url);
  const open = new Set<Socket[]>();
  const all = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect({ port: Number(target.port), host: target.hostname });
    const pair = [client, upstream];
    open.add(pair);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      all.add(from);
      from.on('data', (bytes) => open.has(pair) && to.write(bytes));
      from.on('error', () => {});
      from.on('close', () => {
        all.delete(from);
        if (open.has(pair)) to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxied = new URL(url);
  proxied.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  return {
    url: proxied.href,
    loseConnections: () => open.clear(),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of all) socket.destroy();
      await closed;
    },
  };
}
