import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/**
 * The processor time of a process with all its threads. `/metrics` has it too, but reuses
 * its figures for some seconds if reading them took long.
 * @param {number} pid
 */
export function processSeconds(pid) {
  const stat = readStat(pid);
  if (!stat) throw new Error(`There is no process ${pid}`);
  return stat.ticks / TICKS_PER_SECOND;
}

/**
 * The processor time of the database of this process, and of all other PostgreSQL servers of this machine, which have the
 * shards of Citus.
 * @param {number} backend
 */
export function databaseSeconds(backend) {
  const parent = readStat(backend)?.parent;
  const ticks = { database: 0, shards: 0 };
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readStat(Number(name)) : undefined;
    if (!stat) continue;
    // A connection that has ended counts as an ended child of the server.
    if (stat.parent === parent || Number(name) === parent) ticks.database += stat.ticks + stat.ended;
    else if (stat.name === 'postgres') ticks.shards += stat.ticks + stat.ended;
  }
  return { database: ticks.database / TICKS_PER_SECOND, shards: ticks.shards / TICKS_PER_SECOND };
}

/**
 * Ticks of a process, and of its children that have ended.
 * @param {number} pid
 */
function readStat(pid) {
  try {
    const [, name, rest] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const fields = String(rest).split(' ').map(Number);
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
    return { name, parent: fields[1], ticks: user + system, ended: endedUser + endedSystem };
  } catch {
    return undefined;
  }
}
