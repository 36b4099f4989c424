import { type DatabaseConnection, type Dialect, type Driver, Kysely, type KyselyPlugin } from 'kysely';
import type { Db, Schema } from './schema.ts';

/** Creates a Kysely whose queries all use one connection. */
export function kyselyOnConnection(
  connection: DatabaseConnection,
  dialect: Omit<Dialect, 'createDriver'>,
  plugins: KyselyPlugin[] = [],
): Db {
  const createDriver = () => new OneConnection(connection);
  return new Kysely<Schema>({ dialect: { ...dialect, createDriver }, plugins });
}

class OneConnection implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }
  async releaseConnection(): Promise<void> {}
  async beginTransaction(): Promise<void> {
    throw new Error('Transactions are opened by Storage.write');
  }
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async destroy(): Promise<void> {}
}

// biome-ignore lint/correctness/useYield: part of Kysely's interface; nothing streams yet
export async function* streamNothing(): AsyncGenerator<never> {
  throw new Error('Queries cannot be streamed here');
}
