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
