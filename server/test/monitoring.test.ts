import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { beforeAll, describe, expect, it } from 'vitest';
import { readAppMetrics } from '../src/features/operations/metrics/app-metrics.ts';
import { renderMetrics } from '../src/metrics/metric.ts';
import { version } from '../src/settings/version.ts';
import { startApi } from './api.ts';
import { engine } from './engine.ts';
import { type Family, parseMetrics } from './parse-metrics.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const guide = read('docs/monitoring.md');

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook_url: string };
}
const rules = (load(read('deploy/prometheus/alerts.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);

interface Panel {
  title: string;
  type: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string; legendFormat: string }[];
}
const board = JSON.parse(read('deploy/grafana/usher.json')) as {
  panels: Panel[];
  templating: { list: { name: string; definition?: string }[] };
  annotations: { list: { expr: string }[] };
};

/** Every query of the board and of the rules, with its place. */
const queries = [
  ...rules.map(({ alert, expr }) => ({ where: alert, expr })),
  ...board.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ where: title, expr }))),
  ...board.annotations.list.map(({ expr }) => ({ where: 'annotation', expr })),
  ...board.templating.list.flatMap(({ name, definition: expr }) => (expr ? [{ where: name, expr }] : [])),
];

/** Metrics and labels that Prometheus itself adds. */
const byPrometheus = { metrics: ['up', 'ALERTS'], labels: ['job', 'instance', 'alertname', 'alertstate', 'severity'] };
/** Metrics that only other dashboards use, such as those for Node processes. */
const unused = ['process_uptime_seconds'];

/** The names of metrics in a query, each with the labels that it selects or groups by. */
function namesIn(expr: string): { metrics: string[]; labels: string[] } {
  const text = expr.replaceAll(/"[^"]*"/g, '""');
  const selected = [...text.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside = '']) => inside.split(','));
  const grouped = [...text.matchAll(/\b(?:by|without|on|ignoring) \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(','),
  );
  const labels = [...selected, ...grouped]
    .map((label) => label.replace(/[!=~].*/s, '').trim())
    .filter((label) => label !== '');
  const rest = text.replaceAll(/\{[^}]*\}|\[[^\]]*\]|\b(by|without|on|ignoring) \([^)]*\)/g, ' ');
  const words = [...rest.matchAll(/[a-zA-Z_:][\w:]*(?!\w*\s*\()/g)].map(([word]) => word);
  const metrics = words.filter((word) => /^(usher_|process_|up$|ALERTS$)/.test(word));
  return { metrics: [...new Set(metrics)], labels: [...new Set(labels)] };
}

const baseOf = (name: string) => name.replace(/(usher_http_request_seconds)_(bucket|sum|count)$/, '$1');

/** The rows of the table of metrics in the guide. */
const documented = [...guide.matchAll(/^\| `((?:usher|process)_\w+)` \|(.*)\|$/gm)].map(([, name = '', rest = '']) => {
  const [type = '', labels = '', meaning = ''] = rest.split('|').map((cell) => cell.trim());
  return {
    name,
    type,
    labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label),
    engine: /^(SQLite|PostgreSQL): /.exec(meaning)?.[1],
  };
});

let families: Map<string, Family>;
let text: string;

beforeAll(async () => {
  const api = await startApi({ inTest: false });
  try {
    const page = { account_token: api.account.account_token, uid: '18821', href: 'http://localhost/' };
    for (const expected of ['new', 'known']) {
      const { status } = await api.post('/v3/observe/visits', page, { as: null });
      expect([expected, status]).toEqual([expected, 200]);
    }
    const { status } = await api.post(
      '/v3/session',
      { email: 'nobody@acme.test', password: 'a wrong password' },
      { as: null, headers: { 'Sec-Fetch-Site': 'same-origin' } },
    );
    expect(status).toBe(403);
    api.app.activity.lastSweepAt = Date.now();
    await api.app.disk.check();
    api.app.backups.last = { at: Date.now(), bytes: 4096 };
    api.app.exports.last = { at: Date.now(), files: 1, rows: 12, bytes: 4096 };
    text = (await api.get('/metrics')).text;
    // A server with its own certificate has an additional metric.
    const certificate = await readAppMetrics(api.app, { tls: createCertificate() })();
    families = new Map([...parseMetrics(renderMetrics(certificate)), ...parseMetrics(text)]);
  } finally {
    await api.stop();
  }
});

function createCertificate(): { cert: Buffer; key: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'usher-certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const flags = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', ...flags, '-subj', '/CN=localhost', '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  });
  const made = { cert: readFileSync(cert), key: readFileSync(key) };
  rmSync(folder, { recursive: true });
  return made;
}

const valuesOf = (name: string, label: string) =>
  Object.fromEntries((families.get(name)?.samples ?? []).map(({ labels, value }) => [labels[label] ?? '', value]));

describe('/metrics', () => {
  it('counts page loads by outcome, and failed sign-ins without naming anyone', () => {
    expect(valuesOf('usher_page_loads_total', 'outcome')).toEqual({ known: 1, new: 1, not_stored: 0 });
    expect(valuesOf('usher_sign_in_failures_total', '')).toEqual({ '': 1 });
    expect(text).not.toMatch(/18821|localhost|acme/);
  });

  it('says which engine and version runs, and until when the certificate is valid', () => {
    expect(families.get('usher_build_info')?.samples[0]?.labels).toEqual({
      version,
      node: process.versions.node,
      engine,
    });
    const [expiry] = families.get('usher_certificate_expiry_timestamp_seconds')?.samples ?? [];
    const days = ((expiry?.value ?? 0) - Date.now() / 1000) / 86_400;
    expect(Math.round(days)).toBe(2);
  });

  it('knows that the database responds', () => {
    expect(valuesOf('usher_database_up', '')).toEqual({ '': 1 });
    expect(valuesOf('usher_sending_paused', '')).toEqual({ '': 0 });
    if (engine === 'postgres') {
      const { used, idle, max } = valuesOf('usher_database_connections', 'state');
      expect((used ?? 0) + (idle ?? 0)).toBeGreaterThan(0);
      expect(max).toBeGreaterThan(0);
    } else {
      expect(valuesOf('usher_write_transactions_total', '')['']).toBeGreaterThan(0);
    }
  });

  it('has exactly the metrics and labels that the guide lists', () => {
    const other = engine === 'sqlite' ? 'PostgreSQL' : 'SQLite';
    const expected = documented.filter((row) => row.engine !== other);
    const exported = [...families].map(([name, { type, samples }]) => {
      const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)));
      labels.delete('le');
      return { name, type, labels: [...labels].sort() };
    });
    const byName = (one: { name: string }, two: { name: string }) => (one.name < two.name ? -1 : 1);
    expect(exported.sort(byName)).toEqual(
      expected.map(({ name, type, labels }) => ({ name, type, labels: labels.sort() })).sort(byName),
    );
  });
});

describe('the board and the alert rules', () => {
  it('use only metrics and labels that the server exports', () => {
    expect(queries.length).toBeGreaterThan(60);
    const problems = queries.flatMap(({ where, expr }) => {
      const { metrics, labels } = namesIn(expr);
      const known = documented.filter(({ name }) =>
        metrics.some((metric) => name === metric || name === baseOf(metric)),
      );
      const allowed = [...byPrometheus.labels, 'le', ...known.flatMap((row) => row.labels)];
      const unknownMetrics = metrics.filter((metric) => !byPrometheus.metrics.includes(metric) && !isExported(metric));
      const unknownLabels = labels.filter((label) => !allowed.includes(label));
      return [...unknownMetrics, ...unknownLabels].map((name) => `${where}: ${name}`);
    });
    expect(problems).toEqual([]);
  });

  it('use every metric, except for the metrics that are meant for others', () => {
    const used = new Set(queries.flatMap(({ expr }) => namesIn(expr).metrics.map(baseOf)));
    const names = documented.map(({ name }) => name);
    expect(names.filter((name) => !used.has(name) && !used.has(baseOf(name))).sort()).toEqual(unused);
  });

  it('has panels that do not overlap, each with a query', () => {
    for (const { title, type, targets = [] } of board.panels)
      if (type !== 'row') expect([title, targets.length > 0]).toEqual([title, true]);
    const cells = board.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)} ${y + Math.floor(index / w)}`),
    );
    expect(cells.length - new Set(cells).size).toBe(0);
  });

  it('has a section in the guide for each alert, which says what to do', () => {
    const sections = new Map(
      guide
        .split(/^### /m)
        .map((section) => [section.split('\n')[0] ?? '', section.split('\n').slice(1).join('\n').trim()]),
    );
    const alerts = rules.map(({ alert }) => alert);
    expect(new Set(alerts).size).toBe(alerts.length);
    for (const { alert, labels, annotations } of rules) {
      expect([alert, annotations.runbook_url]).toEqual([alert, `docs/monitoring.md#${alert.toLowerCase()}`]);
      expect([alert, ['page', 'ticket'].includes(labels.severity)]).toEqual([alert, true]);
      expect([alert, (sections.get(alert) ?? '').length > 60]).toEqual([alert, true]);
    }
    const described = [...sections.keys()].filter((name) => name.startsWith('Usher'));
    expect(described.sort()).toEqual(alerts.sort());
  });

  const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
  it.runIf(hasPromtool && engine === 'sqlite').each([
    ['check', 'rules', 'deploy/prometheus/alerts.yaml'],
    ['check', 'config', 'deploy/prometheus/prometheus.yml'],
    ['test', 'rules', 'deploy/prometheus/alerts.test.yaml'],
  ])('passes promtool %s %s %s', (...options) => {
    const { status, stdout, stderr } = spawnSync('promtool', options, { cwd: root, encoding: 'utf8' });
    expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, '']);
  });

  it.runIf(hasPromtool)('passes promtool check metrics', () => {
    const { status, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });
});

/** Metrics of the other engine are checked when the test runs on it. */
function isExported(metric: string): boolean {
  const row = documented.find(({ name }) => name === metric || name === baseOf(metric));
  const isOfOther = row?.engine !== undefined && row.engine !== (engine === 'sqlite' ? 'SQLite' : 'PostgreSQL');
  return isOfOther || families.has(metric) || families.has(baseOf(metric));
}
