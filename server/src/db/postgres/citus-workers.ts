import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import { hasCitus } from './citus-tables.ts';
import { isPostgresUnavailable } from './sql-state.ts';

/** A worker may also be there and not respond. */
const WAIT_MS = 2000;

interface Command {
  /** The address, for the log. */
  worker: string;
  name: string;
  port: number;
  command: string;
}

/** What can be found out and read while some workers of Citus are unavailable. Without Citus there are no workers. */
export class CitusWorkers {
  readonly #db: Kysely<Schema>;
  readonly #onChange: (unavailable: readonly string[]) => void;
  #hasCitus: Promise<boolean> | undefined;
  #unavailable = '';

  /** `onChange` gets the addresses of the workers that are unavailable now. */
  constructor(db: Kysely<Schema>, onChange: (unavailable: readonly string[]) => void) {
    this.#db = db;
    this.#onChange = onChange;
  }

  async exist(): Promise<boolean> {
    this.#hasCitus ??= hasCitus(this.#db).catch((error) => {
      this.#hasCitus = undefined;
      throw error;
    });
    return this.#hasCitus;
  }

  /** Whether a worker was unavailable when that was last found out. */
  get areSomeUnavailable(): boolean {
    return this.#unavailable !== '';
  }

  /** Names the workers that are unavailable by their numbers in `pg_dist_node`: their addresses are for the log only. */
  async listUnavailable(): Promise<string[]> {
    if (!(await this.exist())) return [];
    const { rows } = await sql<Command & { id: number }>`
      select nodeid as id, format('%s:%s', nodename, nodeport) as worker, nodename as name, nodeport as port,
        'select 1' as command
      from pg_dist_node where noderole = 'primary' and isactive and shouldhaveshards order by nodeid`.execute(this.#db);
    const results = await this.#runAll(rows);
    const unavailable = rows.filter((_, index) => results[index] === undefined);
    if (unavailable.length > 0 && unavailable.length === rows.length) throw new NoWorker();
    return unavailable.map(({ id }) => `database worker ${id}`);
  }

  /**
   * Runs a read on every worker that is available, once for all of its shards, and returns the rows. In `select`, `%1$s` is
   * the shard of the first table, and so on.
   */
  async readAvailable<Row>(tables: readonly string[], select: string): Promise<Row[]> {
    const { rows } = await sql<Command>`
      with shards as (
        select n.nodename, n.nodeport, s.shardminvalue,
          array_agg(shard_name(s.logicalrelid, s.shardid) order by t.place) as names
        from unnest(${tables}::text[]) with ordinality as t (name, place)
        join pg_dist_shard s on s.logicalrelid = t.name::regclass
        join pg_dist_placement p on p.shardid = s.shardid
        join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
        group by n.nodename, n.nodeport, s.shardminvalue
      )
      select format('%s:%s', nodename, nodeport) as worker, nodename as name, nodeport as port,
        format('select coalesce(json_agg(found), ''[]'') from (%s) as found',
          string_agg(format(${select}::text, variadic names), ' union all ')) as command
      from shards group by nodename, nodeport`.execute(this.#db);
    const results = await this.#runAll(rows);
    return results.flatMap((result): Row[] => (result === undefined ? [] : JSON.parse(result)));
  }

  /** Returns undefined for each worker that is unavailable. */
  async #runAll(commands: readonly Command[]): Promise<(string | undefined)[]> {
    const results = await Promise.all(commands.map((command) => this.#run(command)));
    const unavailable = commands.filter((_, index) => results[index] === undefined).map(({ worker }) => worker);
    const text = unavailable.sort().join(' ');
    if (text !== this.#unavailable) this.#onChange(unavailable);
    this.#unavailable = text;
    return results;
  }

  async #run({ name, port, command }: Command): Promise<string | undefined> {
    try {
      return await this.#db.transaction().execute(async (tx) => {
        await sql`set local statement_timeout = ${sql.lit(WAIT_MS)}`.execute(tx);
        const { rows } = await sql<{ success: boolean; result: string }>`
          select success, result
          from master_run_on_worker(array[${name}::text], array[${port}::integer], array[${command}::text], true)`.execute(
          tx,
        );
        return rows[0]?.success ? rows[0].result : undefined;
      });
    } catch (error) {
      if (isPostgresUnavailable(error)) return undefined;
      throw error;
    }
  }
}

class NoWorker extends Error {
  /** The connection failed. */
  readonly code = '08006';

  constructor() {
    super('No worker of the database is available');
  }
}
