import { readdirSync, readFileSync } from 'node:fs';
import { drive } from '../load.mjs';
import { median } from '../numbers.mjs';
import { startUsher, unlimited } from '../servers.mjs';
import { prepare, visitsOf } from './visits.mjs';

const WORKERS = 2;
const TICKS_PER_SECOND = 100;

/**
 * Page loads with two workers against one process, on PostgreSQL, and what one page load costs. The database and the load
 * generator share the cores with them. The costs are what `bench/scale.mjs` calculates with.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function workers(bench) {
  if (bench.engine === 'sqlite') return [];
  const known = bench.quick ? 2000 : 100_000;
  const { usher: one, store, token } = await prepare(bench, known, 50, 25);
  const group = await startUsher(bench, store, { ...unlimited, USHER_WORKERS: String(WORKERS) });
  const request = visitsOf(token, known);
  const load = { request, status: 200, seconds: bench.quick ? 1 : 5, connections: 32 };
  await drive({ ...load, port: one.port });
  await drive({ ...load, port: group.port });
  const connection = await store.connect();
  const measured = [];
  for (let round = 0; round < (bench.quick ? 2 : 5); round++) {
    const before = await readCosts(one, connection);
    const alone = await drive({ ...load, port: one.port });
    const after = await readCosts(one, connection);
    const together = await drive({ ...load, port: group.port });
    const loads = alone.latencies.length;
    measured.push({
      ratio: together.perSecond / alone.perSecond,
      alone: alone.perSecond,
      together: together.perSecond,
      node: (1000 * (after.node - before.node)) / loads,
      database: (1000 * (after.database - before.database)) / loads,
      shards: (1000 * (after.shards - before.shards)) / loads,
      wal: (after.wal - before.wal) / loads,
      disk: (after.disk - before.disk) / loads,
    });
    bench.note(`round ${round + 1}: ${Math.round(together.perSecond)} against ${Math.round(alone.perSecond)}`);
  }
  const [citus] = await connection.run("select 1 from pg_extension where extname = 'citus'");
  await connection.close();
  const of = (/** @type {keyof (typeof measured)[number]} */ name) => median(measured.map((round) => round[name]));
  return [
    { value: of('ratio'), unit: 'ratio' },
    { part: 'one', value: of('alone'), unit: 'requests/s' },
    { part: 'two', value: of('together'), unit: 'requests/s' },
    { part: 'node', value: of('node'), unit: 'ms of a core' },
    ...(citus
      ? [
          { part: 'coordinator', value: of('database'), unit: 'ms of a core' },
          { part: 'shards', value: of('shards'), unit: 'ms of a core' },
        ]
      : [
          { part: 'database', value: of('database'), unit: 'ms of a core' },
          { part: 'wal', value: of('wal'), unit: 'bytes' },
          { part: 'disk', value: of('disk'), unit: 'bytes' },
        ]),
  ];
}

/**
 * The processor time of Usher and of PostgreSQL in seconds, and the bytes that PostgreSQL has written.
 * @param {{ get: (path: string) => Promise<string> }} usher
 * @param {import('../store.mjs').Connection} connection
 */
async function readCosts(usher, connection) {
  const node = Number(/^process_cpu_seconds_total (\S+)$/m.exec(await usher.get('/metrics'))?.[1]);
  const [row] = await connection.run(
    "select pg_backend_pid() pid, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') wal, pg_database_size(current_database()) disk",
  );
  return {
    node,
    ...databaseSeconds(Number(row?.pid)),
    wal: Number(row?.wal),
    disk: Number(row?.disk),
  };
}

/**
 * The processor time of the database of this process, and of all other PostgreSQL servers of this machine, which have the
 * shards of Citus.
 * @param {number} backend
 */
function databaseSeconds(backend) {
  const parent = readStat(backend)?.parent;
  const ticks = { database: 0, shards: 0 };
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readStat(Number(name)) : undefined;
    if (stat && (stat.parent === parent || Number(name) === parent)) ticks.database += stat.ticks;
    else if (stat?.name === 'postgres') ticks.shards += stat.ticks;
  }
  return { database: ticks.database / TICKS_PER_SECOND, shards: ticks.shards / TICKS_PER_SECOND };
}

/** @param {number} pid */
function readStat(pid) {
  try {
    const [, name, rest] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const fields = String(rest).split(' ').map(Number);
    return { name, parent: fields[1], ticks: Number(fields[11]) + Number(fields[12]) };
  } catch {
    return undefined;
  }
}
