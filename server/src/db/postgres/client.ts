import { Socket } from 'node:net';
import pg from 'pg';
import { findStatementName } from '../prepared-statement.ts';
import { giveUpOnSilence, type Patience } from './patience.ts';
import { sqlStateOf, statementStates } from './sql-state.ts';
import { processIdOf, type WorkingBackends } from './working-backends.ts';

/** A server that can be reached closes a connection immediately when it is asked to. */
const END_MS = 2000;

/** What a method of the driver returns depends on its arguments, which are passed on as they come. */
type DriverResult = ReturnType<typeof Reflect.apply>;

interface ClientOptions {
  patience: Patience;
  isWorking: WorkingBackends;
  /** Called once, when the first prepared statement was missing. */
  onPooler(): void;
}

/**
 * Creates the client class of one pool. It gives prepared statements a name, so that each connection plans them once. When it
 * detects a pooler that does not track prepared statements by client, nothing in this pool gets a name any more, which
 * always works.
 *
 * A connection that does not respond within its `patience` is destroyed: its query fails, and the pool opens another
 * connection. No query is repeated automatically, because the server may have committed it.
 *
 * The driver gets its callback together with the query. For a promise it would set the callback later, and rows that are
 * referenced during a collection of young garbage would stay until the next full collection: 2 of every 14 MB of a
 * download stayed, and now next to nothing.
 */
export function createClientClass({ patience, isWorking, onPooler }: ClientOptions): typeof pg.Client {
  let usesNames = true;
  return class extends pg.Client {
    /** Changes the overload with a text and values, for which it returns a promise. All others are passed on. */
    override query(...args: unknown[]): DriverResult {
      const [text, values] = args;
      const run = (...passed: unknown[]) => Reflect.apply(super.query, this, passed);
      if (typeof text !== 'string' || typeof args.at(-1) === 'function') return run(...args);
      const query = { name: usesNames ? findStatementName(text) : undefined, text, values };
      return new Promise((resolve, reject) => {
        const stopWaiting = this.#giveUpOnSilence();
        run(query, (error: unknown, result: unknown) => {
          stopWaiting();
          if (!error) return resolve(result);
          if (query.name === undefined || !statementStates.includes(sqlStateOf(error))) return reject(error);
          if (usesNames) onPooler();
          usesNames = false;
          // Inside a transaction this error has ended the transaction, and all of it runs again.
          if (this.getTransactionStatus() !== 'I') return reject(error);
          resolve(this.query(...args));
        });
      });
    }

    /** A server that cannot be reached never confirms the end, and its socket would keep the process running. */
    override end(...args: unknown[]): DriverResult {
      const timer = setTimeout(() => this.connection.stream.destroy(), END_MS);
      this.once('end', () => clearTimeout(timer));
      return Reflect.apply(super.end, this, args);
    }

    /** Destroys the connection when it is silent for too long. Returns a function to call after the response. */
    #giveUpOnSilence(): () => void {
      const { stream } = this.connection;
      return giveUpOnSilence({
        patience,
        countBytes: () => (stream instanceof Socket ? stream.bytesRead : 0),
        isWorking: () => isWorking(processIdOf(this)),
        giveUp: (silentMs) => {
          const seconds = Math.round(silentMs / 1000);
          const error = new Error(`Connection terminated: the database was silent for ${seconds} seconds`);
          stream.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
        },
      });
    }
  };
}
