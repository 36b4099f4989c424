import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
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
  const server = `server { listen 127.0.0.1:${port};\n${location}\nlocation / { proxy_pass http://127.0.0.1:${product}; } }`;
  return runNginx(server, folder, programs, port);
}

/** Starts nginx with the file in deploy/, for HTTPS at another port. */
export async function startShippedNginx({ usher, folder, programs }: Upstreams): Promise<RunningProxy> {
  const [plain, port] = [await findPort(), await findPort()];
  const { key, certificate } = createCertificate(folder);
  const server = readDeployed('nginx/usher.conf')
    .replaceAll(EXAMPLE_ADDRESS, usher)
    .replaceAll(/listen \[::\].*\n/g, '\n')
    .replace('listen 80;', `listen 127.0.0.1:${plain};`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`)
    .replace('/etc/ssl/usher/fullchain.pem', certificate)
    .replace('/etc/ssl/usher/privkey.pem', key);
  return runNginx(server, folder, programs, port);
}

function runNginx(server: string, folder: string, programs: string, port: number): Promise<RunningProxy> {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const temporary = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n');
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
  const site = `http://:${port} {\n${handle}\nhandle {\nreverse_proxy 127.0.0.1:${product}\n}\n}`;
  return runCaddy(site, folder, programs, port);
}

/** Starts Caddy with the file in deploy/, at another port and with a certificate that nobody has signed. */
export async function startShippedCaddy({ usher, folder, programs }: Upstreams): Promise<RunningProxy> {
  const port = await findPort();
  const { key, certificate } = createCertificate(folder);
  const site = readDeployed('caddy/Caddyfile')
    .replace('\nusher.example.com {', `\nhttps://localhost:${port} {\ntls ${certificate} ${key}`)
    .replace(`reverse_proxy ${EXAMPLE_ADDRESS}`, `reverse_proxy ${usher}`);
  return runCaddy(site, folder, programs, port);
}

function runCaddy(site: string, folder: string, programs: string, port: number): Promise<RunningProxy> {
  writeFileSync(join(folder, 'Caddyfile'), `{\nadmin off\nauto_https off\n}\n${site}\n`);
  const args = ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  return started(spawn(join(programs, 'usr/bin/caddy'), args, { env, stdio: ['ignore', 'ignore', 'pipe'] }), port);
}

const readDeployed = (name: string) => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8');

function createCertificate(folder: string): { key: string; certificate: string } {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', ['req', ...kind, ...names, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  return { key, certificate };
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
    if (await accepts(port)) return { port, stop };
    await setTimeout(100);
  }
  await stop();
  throw new Error(`The proxy does not respond: ${output}`);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
  });
}
