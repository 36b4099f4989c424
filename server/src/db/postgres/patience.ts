import pg from 'pg';

/** How long a connection waits for the response to a statement. The reasons are in docs/decisions/0056. */
export interface Patience {
  /** After so long PostgreSQL itself ends the statement; 0 if it never does. */
  readonly statementMs: number;
  /** After so long without a response the connection is given up. */
  readonly silenceMs: number;
  /** Give it up only if no other connection can be opened either. */
  readonly isPatient: boolean;
}

/** Page loads and most requests. PostgreSQL ends a slow statement first: only a broken network is silent for longer. */
export const forRequests: Patience = { statementMs: 7000, silenceMs: 8000, isPatient: false };
/** Heavy reads, deleting much, batches and commands. */
export const forLongWork: Patience = { statementMs: 60_000, silenceMs: 8000, isPatient: true };
export const forMigrations: Patience = { statementMs: 0, silenceMs: 8000, isPatient: true };

/** Whether PostgreSQL would have ended a statement of this age. */
export function isOverdue({ statementMs, silenceMs }: Patience, ageMs: number): boolean {
  return statementMs > 0 && ageMs > statementMs + silenceMs / 2;
}

/**
 * Creates a function that says whether the server responds at all, even if only with an error. Connections that ask at the
 * same time share one attempt.
 */
export function createReachabilityCheck(url: string, withinMs: number): () => Promise<boolean> {
  let running: Promise<boolean> | undefined;
  return () => {
    running ??= isReachable(url, withinMs).finally(() => {
      running = undefined;
    });
    return running;
  };
}

async function isReachable(url: string, withinMs: number): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: withinMs, application_name: 'usher' });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    return error instanceof pg.DatabaseError;
  } finally {
    client.end().catch(() => {});
  }
}
