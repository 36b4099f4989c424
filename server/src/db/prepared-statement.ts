import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type JsonText, jsonTexts } from './json-text.ts';
import type { Db } from './schema.ts';
import type { SqlDialect } from './sql-dialect.ts';
import type { SqlRunner } from './sql-runner.ts';

/** Stands for the account while the statement is checked. The account guard accepts only texts as an account. */
const ACCOUNT = 'the account';

/** A name after a colon is a param. Two colons convert a type on PostgreSQL. */
const paramInText = /(?<!:):([a-z_]+)/;

/**
 * The names of prepared statements on PostgreSQL, by their SQL. Planning a statement of a page load takes PostgreSQL longer
 * than running it, so each connection plans it once. A statement that selects `*` gets no name, because its plan fails after
 * the next migration that adds a column. The name is a hash of the SQL: it must mean the same statement for all nodes that
 * share connections through a pooler.
 */
const statementNames = new Map<string, string>();

export function findStatementName(text: string): string | undefined {
  return statementNames.get(text);
}

export type SqlValue = string | number | boolean | null;

/** What the text of a statement may use that differs between the engines. */
export interface EngineText {
  readonly engine: SqlDialect['engine'];
  readonly json: JsonText;
  /** For locks, which SQLite does without: it has one writer. */
  onPostgres(text: string): string;
}

interface NumberedSql {
  text: string;
  /** The names of the params, by their numbers. */
  names: string[];
}

/**
 * A statement as SQL text, with params as `:name`, among them always `:account`. The account guard checks it once, before it
 * runs for the first time. It always runs with the account of the caller.
 */
export class PreparedStatement<Row, Name extends string = never> {
  readonly #write: (engine: EngineText) => string;
  readonly #numbered = new Map<SqlDialect, NumberedSql>();

  /** @param text a function where the engines differ */
  constructor(text: string | ((engine: EngineText) => string)) {
    this.#write = typeof text === 'string' ? () => text : text;
  }

  run(runner: SqlRunner, db: Db, accountId: string, values: Record<Name, SqlValue>): Promise<Row[]> {
    return this.#run(runner, db, accountId, values, false);
  }

  /** For a statement that returns at most one row. */
  async find(runner: SqlRunner, db: Db, accountId: string, values: Record<Name, SqlValue>): Promise<Row | undefined> {
    const [row] = await this.#run(runner, db, accountId, values, true);
    return row;
  }

  async #run(
    runner: SqlRunner,
    db: Db,
    accountId: string,
    values: Readonly<Record<string, SqlValue>>,
    firstOnly: boolean,
  ): Promise<Row[]> {
    const { text, names } = this.#numbered.get(runner.dialect) ?? this.#prepare(runner);
    const params = names.map((name) => {
      const value = name === 'account' ? accountId : values[name];
      if (value === undefined) throw new Error(`A statement has no value for :${name}`);
      return value;
    });
    return runner.runSql<Row>(db, text, params, firstOnly);
  }

  #prepare({ reader, dialect }: SqlRunner): NumberedSql {
    const { engine } = dialect;
    const onPostgres = (text: string) => (engine === 'postgres' ? text : '');
    const text = this.#write({ engine, json: jsonTexts[engine], onPostgres }).trim();
    check(reader(ACCOUNT), text);
    const numbered = numberParams(text, engine === 'postgres' ? '$' : '?');
    this.#numbered.set(dialect, numbered);
    if (!text.includes('*')) statementNames.set(numbered.text, statementName(numbered.text));
    return numbered;
  }
}

/** Lets the plugins of the database, such as the account guard, see the statement. */
function check(db: Db, text: string): void {
  const parts = text.split(paramInText);
  const texts = parts.filter((_, at) => at % 2 === 0);
  const values = parts.filter((_, at) => at % 2 === 1).map((name) => (name === 'account' ? ACCOUNT : null));
  sql(Object.assign(texts, { raw: texts }), ...values).compile(db);
}

/** A param that is used in several places has one number: passing a value to SQLite costs as much as using it. */
function numberParams(text: string, sign: '$' | '?'): NumberedSql {
  const names = [...new Set(Array.from(text.matchAll(new RegExp(paramInText, 'g')), ([, name = '']) => name))];
  const number = (_: string, name: string) => `${sign}${names.indexOf(name) + 1}`;
  return { text: text.replaceAll(new RegExp(paramInText, 'g'), number), names };
}

/** PostgreSQL derives the types of the params from the text, so the text alone identifies the statement. */
export function statementName(text: string): string {
  return `usher_${createHash('sha256').update(text).digest('hex').slice(0, 40)}`;
}
