import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load, loadAll, YAML11_SCHEMA } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { MAX_BATCH_BYTES } from '../src/batches/worker-messages.ts';
import { readSettings } from '../src/settings/settings.ts';
import { version } from '../src/settings/version.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const dockerfile = read('Dockerfile').replaceAll(/\\\n\s*/g, '');
const { scripts, engines } = JSON.parse(read('package.json'));
const defaults = readSettings({});
const allSettings = [...read('server/src/settings/unknown-settings.ts').matchAll(/^ {2}'(USHER_\w+)',$/gm)].map(
  ([, name = '']) => name,
);
/** Docker Compose reads this one. */
const notForServers = ['USHER_MEMORY'];

/** The words after a keyword of the Dockerfile, for each of its lines. */
const linesOf = (keyword: string) =>
  [...dockerfile.matchAll(new RegExp(`^${keyword} (.*)$`, 'gm'))].map(([, rest = '']) => rest);

const deployFiles = readdirSync(join(root, 'deploy'), { recursive: true, encoding: 'utf8' })
  .map((name) => join('deploy', name))
  .filter(
    (name) =>
      !name.startsWith('deploy/secrets') &&
      name !== 'deploy/usher.env' &&
      /\.(yaml|yml|env|env\.example|service|conf|sh|mjs)$|Caddyfile$/.test(name),
  );

describe('the settings in deploy/', () => {
  it('exist', () => {
    const known = new Set([...allSettings, 'DATABASE_URL', 'DATABASE_URL_FILE', ...notForServers]);
    const used = ['Dockerfile', 'docs/deploy.md', ...deployFiles].flatMap((file) =>
      [...read(file).matchAll(/\b(USHER_[A-Z_]+|DATABASE_URL(?:_FILE)?)\b/g)].map(([, name]) => `${file}: ${name}`),
    );
    expect(used.length).toBeGreaterThan(30);
    expect(used.filter((use) => !known.has(use.split(': ')[1] ?? ''))).toEqual([]);
  });

  it('are accepted by the server, as the example of the systemd unit has them', () => {
    const lines = read('deploy/systemd/usher.env')
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line));
    const env = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s) as [string, string]));
    expect(readSettings(env)).toMatchObject({ trustProxy: ['127.0.0.1', '::1'], operationsPort: 3401, demo: false });
  });

  it('are accepted as the example of the containers has them, with and without a domain', () => {
    const lines = read('deploy/usher.env.example').split('\n');
    const env = Object.fromEntries(
      lines.filter((line) => /^[A-Z]/.test(line)).map((line) => line.split(/=(.*)/s) as [string, string]),
    );
    expect(readSettings(env)).toMatchObject({ certificates: undefined, backup: { to: { folder: '/backups' } } });
    const image = { HOST: '0.0.0.0', PORT: '3400', USHER_HTTP_PORT: '3480' };
    const withDomain = readSettings({ ...env, ...image, USHER_DOMAIN: 'usher.example.com' });
    expect(withDomain).toMatchObject({ publicUrl: 'https://usher.example.com', certificates: { httpPort: 3480 } });
  });
});

describe('Dockerfile', () => {
  const nodeOptions = /node (--.*) server\/bin\/usher\.js serve$/.exec(scripts.start)?.[1]?.split(' ') ?? [];

  it('copies files that exist, and that .dockerignore lets through', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const sources = linesOf('COPY')
      .filter((line) => !line.includes('--from='))
      .flatMap((line) =>
        line
          .split(' ')
          .filter((word) => !word.startsWith('--'))
          .slice(0, -1),
      );
    expect(sources.length).toBeGreaterThan(10);
    for (const source of sources) {
      expect([source, existsSync(join(root, source))]).toEqual([source, true]);
      const isAllowed = allowed.some((path) => source === path || source.startsWith(`${path}/`));
      expect([source, isAllowed]).toEqual([source, true]);
    }
  });

  it('has the manifest of every workspace before it installs', () => {
    const { workspaces } = JSON.parse(read('package.json'));
    const copied = linesOf('COPY').join('\n');
    for (const workspace of workspaces) expect(copied).toContain(`${workspace}/package.json ${workspace}/`);
  });

  it('starts like `npm start`, as another user than root, and without a shell', () => {
    const [entryPoint = '[]'] = linesOf('ENTRYPOINT');
    expect(JSON.parse(entryPoint)).toEqual(['node', ...nodeOptions, '/usher/server/dist/main.js']);
    expect(nodeOptions.length).toBeGreaterThan(0);
    expect([linesOf('USER'), linesOf('CMD'), linesOf('VOLUME')]).toEqual([['node'], ['["serve"]'], ['/data']]);
    const [, execStart = ''] = /^ExecStart=(.*)$/m.exec(read('deploy/systemd/usher.service')) ?? [];
    expect(execStart).toBe(`/usr/bin/node ${nodeOptions.join(' ')} /opt/usher/server/dist/main.js serve`);
  });

  it('has a version of Node that Usher runs on, and the version of Usher', () => {
    const bases = new Set(linesOf('FROM').map((line) => line.replace(/^--platform=\S+ /, '').split(' ')[0] ?? ''));
    expect(bases).toEqual(new Set(['$NODE']));
    // The version is exact, so that the same sources make the same image.
    expect(linesOf('ARG')[0]).toMatch(/^NODE=node:24\.\d+\.\d+-trixie-slim$/);
    expect(Number.parseInt(engines.node.replace(/\D*/, ''), 10)).toBeLessThanOrEqual(24);
    expect(linesOf('ARG').slice(1)).toEqual([`VERSION=${version}`]);
    expect(read('deploy/kubernetes/kustomization.yaml')).toContain(`newTag: ${version}`);
  });

  it('has every package that the bundle leaves out', () => {
    const [, names = ''] = /external: \[(.*)\]/.exec(read('server/build.js')) ?? [];
    const removed = linesOf('RUN').find((line) => line.includes('rm -rf node_modules')) ?? '';
    // The image has no browser for `usher check`.
    const needed = [...names.matchAll(/'([^']+)'/g)].filter(([, name]) => name !== 'playwright-core');
    expect(needed.length).toBeGreaterThan(4);
    for (const [, name] of needed) expect(removed).not.toMatch(new RegExp(`node_modules/${name}\\b`));
  });

  it('has pg_dump of the version of the database in compose.yaml', () => {
    const [, major = ''] = /image: postgres:(\d+)\.\d+$/m.exec(read('deploy/compose.yaml')) ?? [];
    expect(dockerfile).toContain(`postgresql-client-${major}\n`);
    expect(dockerfile).toContain(`/usr/lib/postgresql/${major}/bin/pg_dump`);
  });

  it.each([
    ['PORT', {}],
    ['USHER_HTTP_PORT', { USHER_DOMAIN: 'usher.example.com', PORT: '9' }],
  ])('is healthy only while the server responds at %s', async (name, settings) => {
    const server = createServer((request, response) =>
      response.writeHead(request.url === '/healthz' ? 200 : 404).end(),
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const check = async () => {
      const env = { PATH: process.env.PATH, ...settings, [name]: String(port) };
      const [code] = await once(
        spawn(process.execPath, [join(root, 'deploy/docker/healthcheck.mjs')], { env }),
        'exit',
      );
      return code;
    };
    expect(await check()).toBe(0);
    await new Promise((resolve) => server.close(resolve));
    expect(await check()).toBe(1);
  });
});

describe('compose.yaml', () => {
  interface Service {
    image: string;
    profiles: string[];
    secrets?: string[];
    volumes?: string[];
    ports?: string[];
    depends_on?: Record<string, { condition: string }>;
    environment: Record<string, string>;
    env_file?: string[];
    mem_limit?: string;
    stop_grace_period: string;
    read_only?: boolean;
  }
  const { services, secrets, volumes } = load(read('deploy/compose.yaml'), { schema: YAML11_SCHEMA }) as {
    services: Record<string, Service>;
    secrets: Record<string, { file: string }>;
    volumes: Record<string, unknown>;
  };

  it('names only secrets, volumes and services that it has, and publishes ports to this machine only', () => {
    for (const [name, service] of Object.entries(services)) {
      for (const secret of service.secrets ?? [])
        expect([name, Object.keys(secrets)]).toEqual([name, expect.arrayContaining([secret])]);
      for (const volume of service.volumes ?? []) expect(Object.keys(volumes)).toContain(volume.split(':')[0]);
      for (const other of Object.keys(service.depends_on ?? {}))
        expect(services[other]?.profiles).toEqual(expect.arrayContaining(service.profiles));
      const isPublic = service.profiles.every((profile) => profile.startsWith('https'));
      for (const port of service.ports ?? [])
        if (!(isPublic && ['80:3480', '443:3400'].includes(port))) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
      for (const value of Object.values(service.environment))
        for (const [, secret = ''] of value.matchAll(/\/run\/secrets\/(\w+)/g))
          expect(service.secrets).toContain(secret);
    }
    const created = read('deploy/create-secrets.sh');
    for (const { file } of Object.values(secrets)) expect(created).toContain(`> ${file.replace('./', '')}`);
  });

  it('gives Usher the time that a request may take, and no right to change the image', () => {
    const nodes = Object.values(services).filter(({ image }) => image === 'usher');
    expect(nodes).toHaveLength(5);
    for (const { stop_grace_period: period, read_only, mem_limit } of nodes) {
      expect(mem_limit).toMatch(/:-\dg\}$/);
      expect(Number.parseInt(period, 10)).toBeGreaterThan(defaults.requestTimeout / 1000);
      expect(read_only).toBe(true);
    }
  });
});

describe('the settings of the containers', () => {
  it('all come from usher.env, except for what depends on the containers', () => {
    const { services } = load(read('deploy/compose.yaml'), { schema: YAML11_SCHEMA }) as {
      services: Record<string, { image: string; environment: Record<string, string>; env_file?: string[] }>;
    };
    const own = ['USHER_MASTER_KEY_FILE', 'USHER_OPERATIONS_PORT', 'DATABASE_URL_FILE'];
    for (const { image, environment, env_file } of Object.values(services)) {
      if (image !== 'usher') continue;
      expect(env_file).toEqual(['usher.env']);
      expect(Object.keys(environment).filter((name) => !own.includes(name))).toEqual([]);
    }
    expect(allSettings.length).toBeGreaterThan(70);
    expect(read('deploy/create-secrets.sh')).toContain('cp usher.env.example usher.env');
  });
});

describe('the Kubernetes manifests', () => {
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own shape
  type Manifest = any;
  const folder = 'deploy/kubernetes';
  const documents = new Map<string, Manifest[]>(
    readdirSync(join(root, folder)).map((name) => [name, loadAll(read(`${folder}/${name}`)) as Manifest[]]),
  );
  const find = (kind: string): Manifest => [...documents.values()].flat().find((one) => one.kind === kind);
  const pod = find('Deployment').spec.template;
  const [container] = pod.spec.containers;

  it('list files that exist, and leave out the example of the secret', () => {
    const { resources } = find('Kustomization');
    for (const name of resources) expect(documents.has(name)).toBe(true);
    expect(resources).not.toContain('secret.example.yaml');
  });

  it('select the pods of the deployment, at ports that they have', () => {
    const labels = pod.metadata.labels;
    const ports = container.ports.map(({ name }: Manifest) => name);
    expect(find('Deployment').spec.selector.matchLabels).toEqual(labels);
    expect(find('PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels);
    expect(find('NetworkPolicy').spec.podSelector.matchLabels).toEqual(labels);
    for (const service of documents.get('service.yaml') ?? []) {
      expect(service.spec.selector).toEqual(labels);
      for (const port of service.spec.ports) expect(ports).toContain(port.targetPort);
    }
    for (const rule of find('NetworkPolicy').spec.ingress)
      for (const { port } of rule.ports) expect(ports).toContain(port);
    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
      expect(ports).toContain(container[probe].httpGet.port);
    expect(find('ServiceMonitor').spec.selector.matchLabels).toEqual({ 'app.kubernetes.io/component': 'operations' });
  });

  it('check readiness with the database, and life without it', () => {
    const paths = ['startupProbe', 'readinessProbe', 'livenessProbe'].map((probe) => container[probe].httpGet.path);
    expect(paths).toEqual(['/healthz', '/readyz', '/healthz']);
  });

  it('take every secret from the Secret that the guide creates', () => {
    const keys = Object.keys(find('Secret').stringData);
    const used = container.env.flatMap(({ valueFrom }: Manifest) => valueFrom?.secretKeyRef.key ?? []);
    expect(used.sort()).toEqual(keys.sort());
    for (const key of keys) expect(read('docs/deploy.md')).toContain(`usher-secret/${key}`);
    expect(find('ServiceMonitor').spec.endpoints[0].authorization.credentials).toEqual({
      name: 'usher',
      key: 'operations-secret',
    });
  });

  it('fit the restricted security standard, and leave time for open requests', () => {
    expect(pod.spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const drain = container.env.find(({ name }: { name: string }) => name === 'USHER_DRAIN');
    const { terminationGracePeriodSeconds: grace } = pod.spec;
    expect(grace - Number(drain.value)).toBeGreaterThan(defaults.requestTimeout / 1000);
  });

  it('trust no proxy that nobody has named', () => {
    const trusted = container.env.find(({ name }: { name: string }) => name === 'USHER_TRUST_PROXY');
    expect(readSettings({ USHER_TRUST_PROXY: trusted.value }).trustProxy).toBe(false);
  });

  it('make a backup with the image of the nodes, their database and the second Secret', () => {
    const job = find('CronJob').spec.jobTemplate.spec.template.spec;
    const [backup] = job.containers;
    expect(job.securityContext).toEqual(pod.spec.securityContext);
    expect(backup.securityContext).toEqual(container.securityContext);
    expect(backup.image).toBe(container.image);
    const keys = Object.keys((documents.get('secret.example.yaml') ?? [])[1].stringData);
    const used = backup.env.flatMap(({ valueFrom: { secretKeyRef } }: Manifest) =>
      secretKeyRef.name === 'usher-backup' ? secretKeyRef.key : [],
    );
    expect(used.sort()).toEqual(keys.sort());
    for (const key of keys) expect(read('docs/deploy.md')).toContain(`usher-backup/${key}`);
  });
});

describe('the proxies', () => {
  const nginx = read('deploy/nginx/usher.conf');
  const caddy = read('deploy/caddy/Caddyfile');
  const numberAfter = (text: string, name: string) => Number(new RegExp(`${name} (\\d+)`).exec(text)?.[1]);

  it('close idle connections before Usher does, and wait as long as a request may take', () => {
    for (const idle of [numberAfter(nginx, 'keepalive_timeout'), numberAfter(caddy, 'keepalive')])
      expect(idle * 1000).toBeLessThan(defaults.keepAliveTimeout);
    for (const wait of [numberAfter(nginx, 'proxy_read_timeout'), numberAfter(caddy, 'response_header_timeout')])
      expect(wait * 1000).toBeGreaterThan(defaults.requestTimeout);
  });

  it('accept the largest body that Usher accepts', () => {
    for (const size of [numberAfter(nginx, 'client_max_body_size'), numberAfter(caddy, 'max_size')])
      expect(size * 1_000_000).toBeGreaterThan(MAX_BATCH_BYTES);
  });
});

describe('install.sh', () => {
  const script = read('deploy/install.sh');

  it('has its units beside it, for the folders that it creates', () => {
    const units = readdirSync(join(root, 'deploy/systemd'));
    expect(units.sort()).toEqual([
      'https.conf',
      'usher-backup.service',
      'usher-backup.timer',
      'usher.env',
      'usher.service',
    ]);
    for (const unit of units) expect(script).toContain(unit);
    const text = units.map((unit) => read(`deploy/systemd/${unit}`)).join('\n');
    for (const folder of ['/opt/usher', '/etc/usher', '/var/lib/usher', '/var/backups/usher']) {
      expect(script).toMatch(new RegExp(`^(program|settings|data|backups)=${folder}$`, 'm'));
      expect(text).toContain(folder);
    }
  });

  it('turns the example of the settings into one for a domain', () => {
    const [, expressions = ''] = /sed ((?:-e '[^']*' )+\\\n +-e "[^"]*")/.exec(script) ?? [];
    const command = `domain=usher.example.com; sed ${expressions} "${join(root, 'deploy/systemd/usher.env')}"`;
    const lines = execFileSync('sh', ['-ec', command], { encoding: 'utf8' }).split('\n');
    const env = Object.fromEntries(
      lines.filter((line) => /^[A-Z]/.test(line)).map((line) => line.split(/=(.*)/s) as [string, string]),
    );
    expect(readSettings(env)).toMatchObject({
      ...{ host: '::', port: 443, publicUrl: 'https://usher.example.com', trustProxy: false, operationsPort: 3401 },
      operationsHost: '127.0.0.1',
    });
  });
});
