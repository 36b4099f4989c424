// Checks deploy/ as far as this machine can: runs the steps of the Dockerfile in clean folders and starts what they make,
// checks the files of other programs with these programs, and loads a page through nginx and Caddy.
// `npm run check:deploy`. It takes some minutes and needs the registry of npm. What is not installed is skipped, and named.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'usher-deploy-'));
const children = [];
let failed = false;

const report = (state, what) => {
  failed ||= state === 'FAILED';
  console.log(`${state.padEnd(8)} ${what}`);
};

/** Runs a program that may be missing. */
function tryProgram(what, program, options, more = {}) {
  const { status, error, stdout, stderr } = spawnSync(program, options, { cwd: root, encoding: 'utf8', ...more });
  if (error?.code === 'ENOENT') return report('skipped', `${what}: ${program} is not installed`);
  report(status === 0 ? 'ok' : 'FAILED', status === 0 ? what : `${what}\n${stdout}${stderr}`);
}

/** The steps of the Dockerfile, by stage. */
function readStages() {
  const text = readFileSync(join(root, 'Dockerfile'), 'utf8').replaceAll(/\\\n\s*/g, '');
  const stages = [];
  for (const line of text.split('\n')) {
    const [, step, rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (step === 'FROM') stages.push({ name: / AS (\w+)$/.exec(rest)?.[1] ?? 'image', steps: [] });
    // An ARG before the first stage names the base image.
    else if (step) stages.at(-1)?.steps.push([step, rest]);
  }
  return stages;
}

/** Every file in git that .dockerignore lets through. */
function copyContext(to) {
  const lines = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
  const allowed = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  const ignored = lines
    .filter((line) => line.startsWith('**/'))
    .map((line) => new RegExp(`^${toPattern(line.slice(3))}$`));
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
  for (const file of files) {
    const isAllowed = allowed.some((path) => file === path || file.startsWith(`${path}/`));
    const isIgnored = file.split('/').some((name) => ignored.some((pattern) => pattern.test(name)));
    if (isAllowed && !isIgnored) cpSync(join(root, file), join(to, file));
  }
}

const toPattern = (glob) => glob.replaceAll('.', '\\.').replaceAll('*', '.*');

/** The units as install.sh writes them, with programs that this machine has. */
function checkUnits() {
  const units = join(folder, 'units');
  mkdirSync(join(units, 'usher.service.d'), { recursive: true });
  for (const name of ['usher.service', 'usher-backup.service', 'usher-backup.timer']) {
    const text = readFileSync(join(root, 'deploy/systemd', name), 'utf8');
    writeFileSync(join(units, name), text.replaceAll('/usr/bin/node', process.execPath));
  }
  cpSync(join(root, 'deploy/systemd/https.conf'), join(units, 'usher.service.d/https.conf'));
  const verify = (name) => ['verify', '--man=no', join(units, name)];
  tryProgram('systemd accepts the service, with the right to low ports', 'systemd-analyze', verify('usher.service'));
  tryProgram('systemd accepts the backup timer', 'systemd-analyze', verify('usher-backup.timer'));
}

/** Every setting in deploy/usher.env must reach every container. */
function checkCompose() {
  const known = readFileSync(join(root, 'server/src/settings/unknown-settings.ts'), 'utf8');
  const names = [...known.matchAll(/^ {2}'(USHER_\w+)',$/gm)].map(([, name]) => name);
  const copy = join(folder, 'compose');
  cpSync(join(root, 'deploy'), copy, { recursive: true });
  mkdirSync(join(copy, 'secrets'), { recursive: true });
  writeFileSync(join(copy, 'usher.env'), names.map((name) => `${name}=value-of-${name}\n`).join(''));
  const options = ['compose', '-f', join(copy, 'compose.yaml'), '--profile', '*', 'config', '--format', 'json'];
  const { status, error, stdout, stderr } = spawnSync('docker', options, { encoding: 'utf8' });
  if (error?.code === 'ENOENT' || /unknown (docker )?command|unknown shorthand|is not a docker command/.test(stderr))
    return report('skipped', 'docker accepts compose.yaml: Docker Compose is not installed');
  if (status !== 0) return report('FAILED', `docker accepts compose.yaml\n${stderr}`);
  const own = ['USHER_MASTER_KEY_FILE', 'USHER_OPERATIONS_PORT'];
  for (const [name, { image, environment }] of Object.entries(JSON.parse(stdout).services)) {
    if (image !== 'usher') continue;
    const lost = names.filter((setting) => !own.includes(setting) && environment[setting] !== `value-of-${setting}`);
    report(lost.length === 0 ? 'ok' : 'FAILED', `every setting reaches ${name} ${lost.join(', ')}`);
  }
}

function build() {
  const context = join(folder, 'context');
  copyContext(context);
  const placeOf = (stage, path) => join(folder, stage, path.startsWith('/') ? path : join('/usher', path));
  for (const { name, steps } of readStages()) {
    // Packages of the system are not for this machine.
    if (name === 'postgres') continue;
    mkdirSync(placeOf(name, '.'), { recursive: true });
    for (const [step, rest] of steps) {
      if (step === 'COPY') {
        const words = rest.split(' ').filter((word) => !word.startsWith('--chmod'));
        const from = words[0]?.startsWith('--from=') ? words.shift().slice('--from='.length) : undefined;
        if (from === 'postgres') continue;
        const to = words.pop();
        for (const source of words) {
          const path = from ? placeOf(from, source) : join(context, source);
          const isFolder = statSync(path).isDirectory();
          const target = to.endsWith('/') && !isFolder ? join(placeOf(name, to), basename(source)) : placeOf(name, to);
          mkdirSync(dirname(target), { recursive: true });
          cpSync(path, target, { recursive: true, verbatimSymlinks: true });
        }
      } else if (step === 'RUN' && name !== 'image') {
        execFileSync('sh', ['-ec', rest], { cwd: placeOf(name, '.'), stdio: ['ignore', 'ignore', 'inherit'] });
      }
    }
  }
  return join(folder, 'image', 'usher');
}

function sizeOf(path) {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

async function untilReady(url) {
  for (let tries = 0; tries < 300; tries++, await pause(100))
    if (
      await fetch(url).then(
        (response) => response.ok,
        () => false,
      )
    )
      return;
  throw new Error(`${url} does not respond`);
}

function start(program, options, env = {}) {
  const child = spawn(program, options, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (text += data));
  const ended = new Promise((resolve) => child.on('exit', (code) => resolve(code)));
  children.push(child);
  return { child, ended, out: () => text };
}

const entryPoint = () => {
  const [, json] = readStages()
    .at(-1)
    .steps.find(([step]) => step === 'ENTRYPOINT');
  const [, command] = readStages()
    .at(-1)
    .steps.find(([step]) => step === 'CMD');
  return [...JSON.parse(json), ...JSON.parse(command)];
};

/** Loads a page through a proxy, as the browser of a user does, and checks that Usher knows who asked. */
async function loadPage(what, url, token) {
  const preflight = await fetch(`${url}/v3/observe/visits`, {
    method: 'OPTIONS',
    headers: { Origin: 'http://localhost' },
  });
  const body = JSON.stringify({ account_token: token, uid: 'ann', href: 'http://localhost/page' });
  const headers = { Origin: 'http://localhost', 'Content-Type': 'application/json' };
  const response = await fetch(`${url}/v3/observe/visits`, { method: 'POST', headers, body });
  const loaded = await response.json();
  const hidden = (await fetch(`${url}/metrics`)).status;
  const isRight = preflight.ok && response.status === 200 && loaded.visit?.token && hidden === 404;
  report(
    isRight ? 'ok' : 'FAILED',
    `${what}: OPTIONS ${preflight.status}, page load ${response.status}, /metrics ${hidden}`,
  );
}

async function checkProxies(port, token) {
  for (const [program, check] of [
    ['nginx', tryNginx],
    ['caddy', tryCaddy],
  ]) {
    if (spawnSync(program, ['-v']).error) report('skipped', `a page load through ${program}: it is not installed`);
    else await check(port, token);
  }
}

async function tryNginx(port, token) {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const own = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', ...own, '-subj', '/CN=localhost', '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const [plain, secure] = [await freePort(), await freePort()];
  const server = readFileSync(join(root, 'deploy/nginx/usher.conf'), 'utf8')
    .replaceAll('127.0.0.1:3400', `127.0.0.1:${port}`)
    .replaceAll(/listen \[::\].*\n/g, '\n')
    .replace('listen 80;', `listen 127.0.0.1:${plain};`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${secure} ssl http2;`)
    .replace('/etc/ssl/usher/fullchain.pem', cert)
    .replace('/etc/ssl/usher/privkey.pem', key);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = temporary.map((name) => `${name}_temp_path ${join(folder, name)};`).join('\n');
  const config = join(folder, 'nginx.conf');
  writeFileSync(
    config,
    `daemon off; pid ${folder}/nginx.pid; error_log stderr;\nevents {}\nhttp { access_log off;\n${paths}\n${server}\n}\n`,
  );
  tryProgram('nginx accepts deploy/nginx/usher.conf', 'nginx', ['-t', '-e', 'stderr', '-c', config]);
  const nginx = start('nginx', ['-e', 'stderr', '-c', config]);
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  await untilReady(`https://127.0.0.1:${secure}/healthz`);
  await loadPage('a page load through nginx', `https://127.0.0.1:${secure}`, token);
  nginx.child.kill('SIGQUIT');
  await nginx.ended;
}

async function tryCaddy(port, token) {
  const source = join(root, 'deploy/caddy/Caddyfile');
  tryProgram('caddy accepts deploy/caddy/Caddyfile', 'caddy', [
    'validate',
    '--adapter',
    'caddyfile',
    '--config',
    source,
  ]);
  const [at, admin] = [await freePort(), await freePort()];
  const config = join(folder, 'Caddyfile');
  const text = readFileSync(source, 'utf8')
    .replace('usher.example.com {', `http://127.0.0.1:${at} {`)
    .replace('127.0.0.1:3400 {', `127.0.0.1:${port} {`);
  writeFileSync(config, `{\n\tadmin 127.0.0.1:${admin}\n}\n${text}`);
  const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const caddy = start('caddy', ['run', '--adapter', 'caddyfile', '--config', config], env);
  await untilReady(`http://127.0.0.1:${at}/healthz`);
  await loadPage('a page load through Caddy', `http://127.0.0.1:${at}`, token);
  caddy.child.kill('SIGTERM');
  await caddy.ended;
}

try {
  tryProgram('promtool accepts the rules', 'promtool', ['check', 'rules', 'deploy/prometheus/alerts.yaml']);
  tryProgram('promtool tests the rules', 'promtool', ['test', 'rules', 'deploy/prometheus/alerts.test.yaml']);
  checkUnits();
  const shellScripts = ['deploy/install.sh', 'deploy/create-secrets.sh', 'deploy/docker/usher'];
  tryProgram('shellcheck accepts the scripts', 'shellcheck', shellScripts);
  tryProgram('kubectl builds the manifests', 'kubectl', ['kustomize', 'deploy/kubernetes']);
  checkCompose();

  const image = build();
  const megabytes = (path) => `${Math.round(sizeOf(path) / 1e6)} MB`;
  report(
    'ok',
    `the Dockerfile's steps: ${megabytes(image)} beside Node, ${megabytes(join(image, 'node_modules'))} of it packages`,
  );

  const [program, ...options] = entryPoint().map((word) => word.replace(/^\/usher\//, `${image}/`));
  const port = await freePort();
  const token = 'token-of-the-check';
  const usher = start(program, options, {
    HOST: '127.0.0.1',
    PORT: String(port),
    USHER_DATA: join(folder, 'data'),
    USHER_BOOTSTRAP_SECRET: 'a-secret-of-the-check',
    USHER_BOOTSTRAP_TOKEN: token,
    USHER_TRUST_PROXY: '127.0.0.1',
    USHER_DEMO: 'true',
    USHER_OPERATIONS_PORT: String(await freePort()),
  });
  await untilReady(`http://127.0.0.1:${port}/readyz`);
  for (const path of ['/app/', '/demo/', `/script/${token}.js`]) {
    const { status } = await fetch(`http://127.0.0.1:${port}${path}`);
    report(status === 200 ? 'ok' : 'FAILED', `the image serves ${path}: ${status}`);
  }
  const health = spawnSync(process.execPath, [join(image, 'healthcheck.mjs')], { env: { PORT: String(port) } });
  report(health.status === 0 ? 'ok' : 'FAILED', 'the health check of the image');
  await checkProxies(port, token);
  usher.child.kill('SIGTERM');
  const code = await usher.ended;
  report(code === 0 ? 'ok' : 'FAILED', `SIGTERM ends the process with ${code}`);
  if (code !== 0) console.log(usher.out());
} catch (error) {
  report('FAILED', error.stack);
} finally {
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;
