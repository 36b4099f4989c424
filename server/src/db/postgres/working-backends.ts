import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** A response that PostgreSQL has just sent arrives within this time. */
const ARRIVES_WITHIN_MS = 500;

/** Whether PostgreSQL works on a statement of the connection with this process ID. */
export type WorkingBackends = (processId: number) => Promise<boolean>;

/**
 * Creates a function that finds out over another connection whether PostgreSQL still works for a silent one. The network
 * may have lost the statement, or the response. Connections that are silent at the same time share one attempt.
 */
export function createWorkingBackends(url: string, withinMs: number): WorkingBackends {
  let running: Promise<(processId: number) => boolean> | undefined;
  return async (processId) => {
    running ??= findWorking(url, withinMs).finally(() => {
      running = undefined;
    });
    const isWorking = (await running)(processId);
    if (!isWorking) await pause(ARRIVES_WITHIN_MS);
    return isWorking;
  };
}

/** The process of PostgreSQL that serves a client. The types of the driver leave it out. */
export function processIdOf(client: pg.Client): number {
  return Number(Reflect.get(client, 'processID'));
}

async function findWorking(url: string, withinMs: number): Promise<(processId: number) => boolean> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: withinMs,
    query_timeout: withinMs,
    application_name: 'usher',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      "select pg_backend_pid() as pid union select pid from pg_stat_activity where state not like 'idle%'",
    );
    const working = new Set(rows.map(({ pid }) => pid));
    // A pooler has process IDs of its own, and does not say which backend works for whom.
    if (!working.has(processIdOf(client))) return () => true;
    return (processId) => working.has(processId);
  } catch (error) {
    // An error of the server, such as too many connections, says that it can be reached.
    return () => error instanceof pg.DatabaseError;
  } finally {
    const { stream } = client.connection;
    client.end(() => {});
    setTimeout(() => stream.destroy(), ARRIVES_WITHIN_MS).unref();
  }
}
