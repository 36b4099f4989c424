import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { blockOf, readGuide } from './guide-files.ts';
import { findPort } from './product.ts';

const EXAMPLE_ADDRESS = '127.0.0.1:3400';

interface Upstreams {
  /** The address of Usher, without a scheme. */
  usher: string;
  product: number;
  /** An empty folder. */
  folder: string;
  /** Where the programs of packages are. */
  programs: string;
}

export interface RunningProxy {
  port: number;
  stop(): Promise<void>;
}

/** Starts nginx with what the guide says. */
export async function startNginx({ usher, product, folder, programs }: Upstreams): Promise<RunningProxy> {
  const port = await findPort();
  const location = blockOf(readGuide('first-party'), 'nginx').replace(EXAMPLE_ADDRESS, usher);
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const temporary = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n');
  const server = `server { listen 127.0.0.1:${port};\n${location}\nlocation / { proxy_pass http://127.0.0.1:${product}; } }`;
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr;\nevents {}\nhttp { access_log off;\n${temporary}\n${server} }\n`,
  );
  const args = ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')];
  return started(spawn(join(programs, 'usr/sbin/nginx'), args, { stdio: ['ignore', 'ignore', 'pipe'] }), port);
}

/** Starts Caddy with what the guide says. */
export async function startCaddy({ usher, product, folder, programs }: Upstreams): Promise<RunningProxy> {
  const port = await findPort();
  const handle = blockOf(readGuide('first-party'), 'caddy').replace(EXAMPLE_ADDRESS, usher);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'Caddyfile'),
    `{\nadmin off\nauto_https off\n}\nhttp://:${port} {\n${handle}\nhandle {\nreverse_proxy 127.0.0.1:${product}\n}\n}\n`,
  );
  const args = ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  return started(spawn(join(programs, 'usr/bin/caddy'), args, { env, stdio: ['ignore', 'ignore', 'pipe'] }), port);
}

/** Waits until the program responds. */
export async function started(program: ChildProcess, port: number): Promise<RunningProxy> {
  let output = '';
  program.stderr?.on('data', (text) => {
    output += text;
  });
  const closed = once(program, 'close');
  const stop = async () => {
    program.kill('SIGTERM');
    await closed;
  };
  for (let attempt = 0; attempt < 300; attempt++) {
    if (program.exitCode !== null) throw new Error(`The proxy ended: ${output}`);
    if (await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)) return { port, stop };
    await setTimeout(100);
  }
  await stop();
  throw new Error(`The proxy does not respond: ${output}`);
}
