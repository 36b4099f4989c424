import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';

/** Whether this machine can make network namespaces and filter packets in them. */
export function canMakeNamespaces() {
  const has = (/** @type {string} */ command, /** @type {string} */ flag) => spawnSync(command, [flag]).status === 0;
  return process.getuid?.() === 0 && has('ip', '-V') && has('iptables', '-V') && has('setpriv', '--version');
}

/**
 * A network namespace that one cable connects with this machine, and whose packets can be dropped without a sign.
 * @param {import('../../bench/cleanup.mjs').Cleanup} cleanup
 */
export async function makeNamespace(cleanup) {
  const name = `usher-${randomBytes(3).toString('hex')}`;
  const cable = name.replace('-', '');
  const net = `10.233.${Math.floor(Math.random() * 256)}`;
  run('ip', 'netns', 'add', name);
  await cleanup.add(() => run('ip', 'netns', 'del', name));
  run('ip', 'link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
  run('ip', 'addr', 'add', `${net}.1/30`, 'dev', cable);
  run('ip', 'link', 'set', cable, 'up');
  run('ip', '-n', name, 'addr', 'add', `${net}.2/30`, 'dev', 'eth0');
  for (const device of ['eth0', 'lo']) run('ip', '-n', name, 'link', 'set', device, 'up');
  const filter = (/** @type {string[]} */ ...rule) => run('ip', 'netns', 'exec', name, 'iptables', ...rule);

  return {
    name,
    host: `${net}.2`,
    /** From now on every packet is lost. */
    dropAll: () => {
      filter('-A', 'INPUT', '-i', 'eth0', '-j', 'DROP');
      filter('-A', 'OUTPUT', '-o', 'eth0', '-j', 'DROP');
    },
    /** From now on the packets of the open connections are lost. New connections work. */
    dropOpenConnections: () => {
      const lines = run('ip', 'netns', 'exec', name, 'ss', '-Htn', 'state', 'established').trim().split('\n');
      const ports = lines.map((line) => line.trim().split(/\s+/).at(-1)?.split(':').at(-1) ?? '');
      for (const port of ports) {
        filter('-A', 'INPUT', '-p', 'tcp', '--sport', port, '-j', 'DROP');
        filter('-A', 'OUTPUT', '-p', 'tcp', '--dport', port, '-j', 'DROP');
      }
      return ports.length;
    },
    /** Packets arrive again. */
    restore: () => filter('-F'),
  };
}

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, ...args) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr}`);
  return stdout;
}
