import { createHash } from 'node:crypto';
import type { Compilable } from 'kysely';
import type { SqlDialect } from './sql-dialect.ts';
import type { Db, Storage } from './storage.ts';

/** What a value stands for until it is given. */
class Hole {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** The guard knows only texts for an account. */
const ACCOUNT = 'the account';

/**
 * By its text, the name under which PostgreSQL keeps a query that it has planned: planning what a page load asks takes
 * it longer than answering. Where all columns are asked for, the plan would not outlive the next column. The name is a
 * hash of the text, so that it means the same statement for all nodes that share connections through a pooler.
 */
const names = new Map<string, string>();

export function nameOfPrepared(sql: string): string | undefined {
  return names.get(sql);
}

type MakeHole<Name extends string> = (name: Name) => never;

/**
 * A query that is built once and then only given its values: where a few small ones make up a request, building them
 * takes three times as long as running them. It is checked for its account when it is built, and gets the account of
 * whoever runs it.
 */
export class PreparedQuery<Row, Name extends string> {
  readonly #build: (db: Db, account: string, param: MakeHole<Name>, dialect: SqlDialect) => Compilable<Row>;
  readonly #built = new WeakMap<Storage, { sql: string; parameters: readonly unknown[] }>();

  /** A hole can stand wherever a value can. */
  constructor(build: (db: Db, account: string, param: MakeHole<Name>, dialect: SqlDialect) => Compilable<Row>) {
    this.#build = build;
  }

  run(storage: Storage, db: Db, accountId: string, values: Record<Name, unknown>): Promise<Row[]> {
    return this.#run(storage, db, accountId, values, false);
  }

  /** For one that gives a row or none. */
  async find(storage: Storage, db: Db, accountId: string, values: Record<Name, unknown>): Promise<Row | undefined> {
    const [row] = await this.#run(storage, db, accountId, values, true);
    return row;
  }

  async #run(storage: Storage, db: Db, accountId: string, values: Record<Name, unknown>, one: boolean): Promise<Row[]> {
    const { sql, parameters } = this.#built.get(storage) ?? this.#make(storage);
    const params = parameters.map((parameter) => {
      if (parameter instanceof Hole) return values[parameter.name as Name];
      return parameter === ACCOUNT ? accountId : parameter;
    });
    return storage.runSql<Row>(db, sql, params, one);
  }

  #make(storage: Storage): { sql: string; parameters: readonly unknown[] } {
    const param = (name: Name) => new Hole(name) as never;
    const { sql, parameters } = this.#build(storage.reader(ACCOUNT), ACCOUNT, param, storage.dialect).compile();
    const built = storage.dialect.engine === 'sqlite' ? paramsOnce(sql, parameters) : { sql, parameters };
    this.#built.set(storage, built);
    if (!sql.includes('*') && !names.has(sql)) names.set(sql, statementName(sql));
    return built;
  }
}

/** PostgreSQL derives the types of the parameters from the text, so the text alone identifies the statement. */
export function statementName(sql: string): string {
  return `usher_${createHash('sha256').update(sql).digest('hex').slice(0, 40)}`;
}

/** Handing SQLite a value costs as much as using it: one that stands in several places is handed over once. */
function paramsOnce(sql: string, parameters: readonly unknown[]): { sql: string; parameters: readonly unknown[] } {
  const keys = parameters.map((parameter) => (parameter instanceof Hole ? parameter.name : parameter));
  const kinds = parameters.map((parameter) => parameter instanceof Hole);
  const firsts = keys.map((key, at) => keys.findIndex((other, place) => other === key && kinds[place] === kinds[at]));
  const places = [...new Set(firsts)];
  const pieces = sql.split('?');
  // A question mark within a text is no place for a value.
  if (pieces.length !== parameters.length + 1) return { sql, parameters };
  const numbered = pieces.map((piece, at) =>
    at === 0 ? piece : `${places.indexOf(firsts[at - 1] as number) + 1}${piece}`,
  );
  return { sql: numbered.join('?'), parameters: places.map((place) => parameters[place]) };
}
