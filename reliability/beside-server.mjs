import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Commands that run beside a server under load, and are killed. */

const command = fileURLToPath(new URL('../server/bin/usher.js', import.meta.url));
const WRITERS = 8;
const MAX_KILL_MS = 400;

/** @typedef {Awaited<ReturnType<typeof import('../bench/servers.mjs').startUsher>>} Usher */
/** @typedef {{ host: string, at: number, ms: number }} Write */

/**
 * Writes domains over several connections until it is stopped.
 * @param {Usher} usher
 */
export function startWrites(usher) {
  /** @type {Write[]} */
  const writes = [];
  let stopped = false;
  const write = async (/** @type {number} */ writer) => {
    for (let n = 0; !stopped; n++) {
      const host = `b${writer}-${n}.example.com`;
      const at = performance.now();
      await usher.post('/v3/edit/urls', { host }, 201);
      writes.push({ host, at, ms: performance.now() - at });
    }
  };
  const done = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  return {
    writes,
    stop: async () => {
      stopped = true;
      await done;
    },
  };
}

/** @param {Write[]} writes */
export function p99(writes) {
  const sorted = writes.map(({ ms }) => ms).sort((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length * 0.99)] ?? 0) * 10) / 10;
}

/**
 * Starts a command and kills it with -9 a random time after it has created a file. Returns whether it was still running.
 * @param {string[]} argv
 * @param {Record<string, string>} env
 * @param {string} folder of the file
 * @param {string} end of its name
 */
export async function killWhile(argv, env, folder, end) {
  const child = start(process.execPath, [command, ...argv], env);
  const exited = once(child, 'exit');
  const known = new Set(readdirSync(folder));
  const hasBegun = () => readdirSync(folder).some((name) => name.endsWith(end) && !known.has(name));
  while (child.exitCode === null && !hasBegun()) await pause(1);
  await Promise.race([exited, pause(Math.random() * MAX_KILL_MS)]);
  const isRunning = child.exitCode === null;
  child.kill('SIGKILL');
  await exited;
  return isRunning;
}

/**
 * Starts a command and kills it with -9 after a time. Returns whether it was still running.
 * @param {string[]} argv
 * @param {Record<string, string>} env
 * @param {number} ms
 */
export async function killAfter(argv, env, ms) {
  const child = start(process.execPath, [command, ...argv], env);
  const exited = once(child, 'exit');
  await Promise.race([exited, pause(ms)]);
  const isRunning = child.exitCode === null;
  child.kill('SIGKILL');
  await exited;
  return isRunning;
}

/**
 * @param {string[]} argv
 * @param {Record<string, string>} env
 */
export function runCommand(argv, env) {
  return run(process.execPath, [command, ...argv], env);
}

/**
 * @param {string} program
 * @param {string[]} argv
 * @param {Record<string, string>} env
 */
async function run(program, argv, env) {
  const child = start(program, argv, env);
  const exited = once(child, 'exit');
  const said = text(child.stderr);
  const [code] = await exited;
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}: ${await said}`);
}

/**
 * @param {string} program
 * @param {string[]} argv
 * @param {Record<string, string>} env
 */
function start(program, argv, env) {
  const { PATH, HOME } = process.env;
  return spawn(program, argv, { env: { PATH, HOME, ...env }, stdio: ['ignore', 'ignore', 'pipe'] });
}
