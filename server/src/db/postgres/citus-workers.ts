import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import { hasCitus } from './citus-tables.ts';

interface Answer {
  worker: string;
  success: boolean;
  result: string;
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

  /** Names the workers that are unavailable by their numbers in `pg_dist_node`: their addresses are for the log only. */
  async listUnavailable(): Promise<string[]> {
    if (!(await this.exist())) return [];
    const { rows } = await sql<Answer & { id: number }>`
      select n.nodeid as id, format('%s:%s', n.nodename, n.nodeport) as worker, r.success, r.result
      from run_command_on_workers('select 1') as r
      join pg_dist_node n on n.nodename = r.nodename and n.nodeport = r.nodeport
      where n.noderole = 'primary' order by n.nodeid`.execute(this.#db);
    this.#note(rows);
    const unavailable = rows.filter(({ success }) => !success);
    if (unavailable.length > 0 && unavailable.length === rows.length) throw new NoWorker();
    return unavailable.map(({ id }) => `database worker ${id}`);
  }

  /**
   * Runs a read on every worker that is available, once for all of its shards, and returns the rows. In `select`, `%1$s` is
   * the shard of the first table, and so on.
   */
  async readAvailable<Row>(tables: readonly string[], select: string): Promise<Row[]> {
    const { rows } = await sql<Answer>`
      with shards as (
        select n.nodename, n.nodeport, s.shardminvalue,
          array_agg(shard_name(s.logicalrelid, s.shardid) order by t.place) as names
        from unnest(${tables}::text[]) with ordinality as t (name, place)
        join pg_dist_shard s on s.logicalrelid = t.name::regclass
        join pg_dist_placement p on p.shardid = s.shardid
        join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
        group by n.nodename, n.nodeport, s.shardminvalue
      ), commands as (
        select nodename, nodeport, format('select coalesce(json_agg(found), ''[]'') from (%s) as found',
          string_agg(format(${select}::text, variadic names), ' union all ')) as command
        from shards group by nodename, nodeport
      ), lists as (
        select array_agg(nodename) as names, array_agg(nodeport) as ports, array_agg(command) as commands from commands
      )
      select format('%s:%s', r.node_name, r.node_port) as worker, r.success, r.result
      from lists, master_run_on_worker(names, ports, commands, true) as r`.execute(this.#db);
    this.#note(rows);
    return rows.flatMap(({ success, result }) => (success ? (JSON.parse(result) as Row[]) : []));
  }

  #note(answers: readonly Answer[]): void {
    const unavailable = answers.filter(({ success }) => !success).map(({ worker }) => worker);
    const text = unavailable.sort().join(' ');
    if (text === this.#unavailable) return;
    this.#unavailable = text;
    this.#onChange(unavailable);
  }
}

class NoWorker extends Error {
  /** The connection failed. */
  readonly code = '08006';

  constructor() {
    super('No worker of the database is available');
  }
}
