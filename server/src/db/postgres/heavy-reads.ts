import {
  type CompiledQuery,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import { heavyReaderOn } from '../heavy-reader-on.ts';
import { kyselyOnConnection, streamNothing } from '../kysely-on-connection.ts';
import type { Db, Storage } from '../storage.ts';
import type { Turns } from '../turns.ts';
import { PlainReturning } from './plain-returning.ts';
import type { Replica } from './replica.ts';

const dialect = {
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (db: Db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
};

/** Lets the accounts take turns at the connections of a pool, which serves its queries in the order in which they came. */
export function takingTurns(pool: Db, turns: Turns, replica?: Replica): Storage['heavyReader'] {
  return heavyReaderOn((accountId, { signal, noteAge }) => {
    // A response that is sent while its rows are read has its headers before the first of them.
    const noteReplica = () => {
      if (replica?.ageMs !== undefined) noteAge?.(replica.ageMs);
    };
    noteReplica();
    const executeQuery = <R>(query: CompiledQuery): Promise<QueryResult<R>> =>
      turns.run({ account: accountId ?? '', name: query.sql, signal }, async () => {
        noteReplica();
        const old = noteAge && (await replica?.read<R>(query));
        return old ?? pool.executeQuery<R>(query);
      });
    return kyselyOnConnection({ executeQuery, streamQuery: streamNothing }, dialect, [new PlainReturning()]);
  });
}
