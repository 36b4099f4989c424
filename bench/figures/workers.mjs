import { drive } from '../load.mjs';
import { median } from '../numbers.mjs';
import { databaseSeconds, processSeconds } from '../processor-time.mjs';
import { startUsher, unlimited } from '../servers.mjs';
import { prepare, visitsOf } from './visits.mjs';

const WORKERS = 2;

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
 * @param {{ pid: number }} usher
 * @param {import('../store.mjs').Connection} connection
 */
async function readCosts(usher, connection) {
  const [row] = await connection.run(
    "select pg_backend_pid() pid, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') wal, pg_database_size(current_database()) disk",
  );
  return {
    node: processSeconds(usher.pid),
    ...databaseSeconds(Number(row?.pid)),
    wal: Number(row?.wal),
    disk: Number(row?.disk),
  };
}
