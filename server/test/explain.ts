import { type Compilable, CompiledQuery } from 'kysely';
import Database from 'libsql';
import { toSqlite } from '../src/db/sqlite/sqlite-kysely.ts';
import { readSettings } from '../src/settings/settings.ts';
import type { Api } from './api.ts';
import { engine } from './engine.ts';

/** Runs SQL without the check that queries name the account. */
export function runUnchecked({ app, account }: Api, text: string, parameters: readonly unknown[] = []) {
  return app.storage.write(account.account_id, (db) => db.executeQuery(CompiledQuery.raw(text, [...parameters])));
}

/** Returns how the engine would run a query, with the names of the indexes. */
export async function explain(api: Api, query: Compilable | string): Promise<string> {
  const { sql, parameters } = typeof query === 'string' ? CompiledQuery.raw(query) : query.compile();
  const rows =
    engine === 'sqlite' ? explainOnSqlite(api, sql, parameters) : await explainOnPostgres(api, sql, parameters);
  return rows.map((row) => Object.values(row as object).at(-1)).join('\n');
}

async function explainOnPostgres(api: Api, text: string, parameters: readonly unknown[]): Promise<unknown[]> {
  return (await runUnchecked(api, `explain ${text}`, parameters)).rows;
}

/**
 * Uses a connection of its own: SQLite counts a finished EXPLAIN as running, and connections of the server keep
 * statements.
 */
function explainOnSqlite({ database }: Api, text: string, parameters: readonly unknown[]): unknown[] {
  const connection = new Database(readSettings(database.env).sqliteFile);
  try {
    return connection.prepare(`explain query plan ${text}`).all(parameters.map(toSqlite));
  } finally {
    connection.close();
  }
}
