import { createHash } from 'node:crypto';
import type { Compilable } from 'kysely';
import type { Db } from './schema.ts';
import type { SqlDialect } from './sql-dialect.ts';
import type { SqlRunner } from './sql-runner.ts';

/** Stands for a value until the query runs. */
class Param {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Stands for the account while the query is built. The account guard accepts only texts as an account. */
const ACCOUNT = 'the account';

/**
 * The names of prepared statements on PostgreSQL, by their SQL. Planning a query of a page load takes PostgreSQL longer than
 * running it, so each connection plans it once. A query that selects `*` gets no name, because its plan fails after the
 * next migration that adds a column. The name is a hash of the SQL: it must mean the same statement for all nodes that
 * share connections through a pooler.
 */
const statementNames = new Map<string, string>();

export function findStatementName(sql: string): string | undefined {
  return statementNames.get(sql);
}

type CreateParam<Name extends string> = (name: Name) => never;
type BuildQuery<Row, Name extends string> = (
  db: Db,
  account: string,
  param: CreateParam<Name>,
  dialect: SqlDialect,
) => Compilable<Row>;

interface CompiledSql {
  sql: string;
  parameters: readonly unknown[];
}

/**
 * A query that is built once for each engine and then runs with different values. For the small queries of a page load,
 * building takes three times as long as running. The account guard checks the query when it is built. It always runs with
 * the account of the caller.
 */
export class PreparedQuery<Row, Name extends string> {
  readonly #build: BuildQuery<Row, Name>;
  readonly #compiled = new Map<SqlDialect, CompiledSql>();

  /** @param build may use `param` wherever a value can stand */
  constructor(build: BuildQuery<Row, Name>) {
    this.#build = build;
  }

  run(runner: SqlRunner, db: Db, accountId: string, values: Record<Name, unknown>): Promise<Row[]> {
    return this.#run(runner, db, accountId, values, false);
  }

  /** For a query that returns at most one row. */
  async find(runner: SqlRunner, db: Db, accountId: string, values: Record<Name, unknown>): Promise<Row | undefined> {
    const [row] = await this.#run(runner, db, accountId, values, true);
    return row;
  }

  async #run(
    runner: SqlRunner,
    db: Db,
    accountId: string,
    values: Record<Name, unknown>,
    firstOnly: boolean,
  ): Promise<Row[]> {
    const { sql, parameters } = this.#compiled.get(runner.dialect) ?? this.#compile(runner);
    const params = parameters.map((parameter) => {
      if (parameter instanceof Param) return values[parameter.name as Name];
      return parameter === ACCOUNT ? accountId : parameter;
    });
    return runner.runSql<Row>(db, sql, params, firstOnly);
  }

  #compile({ reader, dialect }: SqlRunner): CompiledSql {
    const param = (name: Name) => new Param(name) as never;
    const { sql, parameters } = this.#build(reader(ACCOUNT), ACCOUNT, param, dialect).compile();
    const compiled = dialect.engine === 'sqlite' ? deduplicateParams(sql, parameters) : { sql, parameters };
    this.#compiled.set(dialect, compiled);
    if (!sql.includes('*') && !statementNames.has(sql)) statementNames.set(sql, statementName(sql));
    return compiled;
  }
}

/** PostgreSQL derives the types of the parameters from the text, so the text alone identifies the statement. */
export function statementName(sql: string): string {
  return `usher_${createHash('sha256').update(sql).digest('hex').slice(0, 40)}`;
}

/** Passing a value to SQLite costs as much as using it, so a value that is used in several places is passed once. */
function deduplicateParams(sql: string, parameters: readonly unknown[]): CompiledSql {
  const keys = parameters.map((parameter) => (parameter instanceof Param ? parameter.name : parameter));
  const isParam = parameters.map((parameter) => parameter instanceof Param);
  const firstUses = keys.map((key, at) =>
    keys.findIndex((other, place) => other === key && isParam[place] === isParam[at]),
  );
  const places = [...new Set(firstUses)];
  const pieces = sql.split('?');
  // There is a question mark within a text literal, which cannot be distinguished from a placeholder.
  if (pieces.length !== parameters.length + 1) return { sql, parameters };
  const numbered = pieces.map((piece, at) =>
    at === 0 ? piece : `${places.indexOf(firstUses[at - 1] as number) + 1}${piece}`,
  );
  return { sql: numbered.join('?'), parameters: places.map((place) => parameters[place]) };
}
