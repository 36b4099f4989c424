import { setTimeout as pause } from 'node:timers/promises';
import { type CompiledQuery, type QueryResult, sql } from 'kysely';
import { messageOf } from '../../error-code.ts';
import type { Log } from '../../log/log.ts';
import type { Db } from '../schema.ts';
import { isPostgresUnavailable, sqlStateOf } from './sql-state.ts';

const CHECK_INTERVAL_MS = 1000;
const MAX_AGE_MS = 30_000;
/** The replica had to end the query in order to go on, or does not have a new table or column yet. */
const behindStates = /^(40001|42P01|42703)/;
/** The statement took too long. On the primary it would take as long. */
const TIMED_OUT = '57014';

const MAX_INSPECTION_MS = 5000;
const NO_STANDBY = 'it is no standby';
const primaryPosition = sql`pg_current_wal_lsn()`;
const replicaPosition = sql`pg_last_wal_replay_lsn()`;

export interface ReplicaOptions {
  primary: Db;
  replica: Db;
  log: Log;
  maxAgeMs?: number;
  intervalMs?: number;
}

interface Written {
  position: number;
  /** When the primary had written until there. */
  at: number;
}

/**
 * A standby that reads whatever may be some seconds old. Every second the position of the primary in its log is noted, and
 * compared with the position until which the standby has applied the log. So the age is right when nothing is
 * written, when the connection between the two is lost, and when their clocks differ.
 */
export class Replica {
  readonly #options: Required<ReplicaOptions>;
  readonly #timer: NodeJS.Timeout;
  #written: Written[] = [];
  /** What was written until then can be read from the replica. Undefined if the replica cannot be used. */
  #currentAt: number | undefined;
  #wasUsable: boolean | undefined;
  #checking: Promise<void> | undefined;

  constructor(options: ReplicaOptions) {
    this.#options = { maxAgeMs: MAX_AGE_MS, intervalMs: CHECK_INTERVAL_MS, ...options };
    this.#timer = setInterval(() => this.#check(), this.#options.intervalMs).unref();
    this.#check();
  }

  /** How old its data is at most; undefined if it is down or too far behind. */
  get ageMs(): number | undefined {
    if (this.#currentAt === undefined) return undefined;
    const age = performance.now() - this.#currentAt;
    return age > this.#options.maxAgeMs ? undefined : age;
  }

  /** Reads from the replica; undefined if that is not possible. */
  async read<R>(query: CompiledQuery): Promise<QueryResult<R> | undefined> {
    if (this.ageMs === undefined) return undefined;
    try {
      return await this.#options.replica.executeQuery<R>(query);
    } catch (error) {
      const isDown = isPostgresUnavailable(error) && sqlStateOf(error) !== TIMED_OUT;
      if (!isDown && !behindStates.test(sqlStateOf(error))) throw error;
      if (isDown) this.#currentAt = undefined;
      return undefined;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#checking;
  }

  /** One check at a time. */
  #check(): void {
    this.#checking ??= this.#compare()
      .catch((err: unknown) => {
        this.#currentAt = undefined;
        return messageOf(err);
      })
      .then((problem) => this.#logChange(problem))
      .finally(() => {
        this.#checking = undefined;
      });
  }

  async #compare(): Promise<string | undefined> {
    const { primary, replica } = this.#options;
    const at = performance.now();
    const position = await readPosition(primary, primaryPosition);
    if (position !== null) this.#written.push({ position, at });
    const applied = await readPosition(replica, replicaPosition);
    if (applied === null) throw new Error(NO_STANDBY);
    const known = this.#written.filter(({ position }) => position <= applied);
    this.#currentAt = known.at(-1)?.at ?? this.#currentAt;
    const oldest = at - this.#options.maxAgeMs;
    this.#written = this.#written.filter((one) => one.position > applied && one.at > oldest);
    return undefined;
  }

  #logChange(problem: string | undefined): void {
    const isUsable = this.ageMs !== undefined;
    if (isUsable === this.#wasUsable) return;
    // At the first check, what the primary has just written may not be there yet.
    if (this.#wasUsable === undefined && !isUsable && problem === undefined) return;
    this.#wasUsable = isUsable;
    const { log } = this.#options;
    if (isUsable) log.info('heavy reads use the replica of the database');
    else
      log.warn(
        { reason: problem ?? 'it is too far behind' },
        'the replica cannot be used: heavy reads use the primary',
      );
  }
}

async function readPosition(db: Db, position: ReturnType<typeof sql>): Promise<number | null> {
  const { rows } = await sql<{ bytes: string | null }>`select pg_wal_lsn_diff(${position}, '0/0') as bytes`.execute(db);
  const bytes = rows[0]?.bytes;
  return bytes === null || bytes === undefined ? null : Number(bytes);
}

/** Waits until the replica has what the primary has written by now. */
export async function findReplicaProblem(primary: Db, replica: Db): Promise<string | undefined> {
  try {
    const written = (await readPosition(primary, primaryPosition)) ?? 0;
    for (const until = performance.now() + MAX_INSPECTION_MS; ; await pause(100)) {
      const applied = await readPosition(replica, replicaPosition);
      if (applied === null) return NO_STANDBY;
      if (applied >= written) return undefined;
      if (performance.now() > until) return `it is ${written - applied} bytes behind`;
    }
  } catch (error) {
    return messageOf(error);
  }
}
