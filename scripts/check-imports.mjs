// Checks which folder may import which: the layers of the server and the dashboard point one way, and no two folders import each other,
// whether directly or through others. Tests may import what they like.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Every file of a folder, with its path from the root. */
function listFiles(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listFiles(path);
    return /\.(tsx?|js)$/.test(entry.name) && !/\.(test|d)\.ts$/.test(entry.name) ? [path] : [];
  });
}

/**
 * What a file counts as: the noun of a feature, the feature itself, a part of the server, a folder of the domain or the dashboard, or
 * a file that is in none of them.
 */
function unitOf(path) {
  const [noun] = /^server\/src\/features\/\w+\/[\w-]+(?=\/)/.exec(path) ?? [];
  const [feature] = /^server\/src\/features\/\w+(?=\/)/.exec(path) ?? [];
  const [part] = /^(?:server|domain|dashboard)\/src\/[^/]+/.exec(path) ?? [];
  return noun ?? feature ?? part;
}

const importCall = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g;
const graph = new Map();
for (const file of ['server/src', 'domain/src', 'dashboard/src'].flatMap(listFiles)) {
  const from = unitOf(file);
  if (!from) continue;
  for (const [, specifier] of readFileSync(join(root, file), 'utf8').matchAll(importCall)) {
    const to = unitOf(join(dirname(file), specifier));
    if (!to || to === from) continue;
    const targets = graph.get(from) ?? new Map();
    graph.set(from, targets.set(to, [...(targets.get(to) ?? []), file]));
  }
}

/** What each part of the server and the dashboard must not import: it stands below them. */
const forbidden = {
  'server/src/db': ['http', 'pages', 'features', 'webhooks', 'batches', 'published', 'cli'],
  'server/src/keys': ['http', 'pages', 'features', 'webhooks', 'batches', 'published', 'cli'],
  'server/src/published': ['http', 'pages', 'features', 'webhooks', 'batches', 'cli'],
  'server/src/http': ['pages', 'features', 'webhooks', 'cli'],
  'server/src/features': ['cli'],
  'server/src/webhooks': ['cli'],
  'server/src/pages': ['cli'],
  'dashboard/src/messages': ['ui', 'api', 'app', 'pages'],
  'dashboard/src/ui': ['api', 'app', 'pages'],
  'dashboard/src/api': ['ui', 'app', 'pages'],
  'dashboard/src/app': ['pages'],
};
const packageOf = (part) => part.split('/')[0];
const problems = [];
for (const [from, targets] of graph)
  for (const [part, names] of Object.entries(forbidden))
    for (const [to, files] of targets)
      if (
        (from === part || from.startsWith(`${part}/`)) &&
        names.some((name) => to.startsWith(`${packageOf(part)}/src/${name}`))
      )
        problems.push(`${part} must not import ${to}: ${[...new Set(files)].join(', ')}`);

/** The shortest way back to where it began, if there is one. */
function findCycle(start) {
  const queue = [[start]];
  const seen = new Set();
  for (const path of queue) {
    for (const next of graph.get(path.at(-1))?.keys() ?? []) {
      if (next === start) return path;
      if (!seen.has(next)) queue.push([...path, next]);
      seen.add(next);
    }
  }
  return undefined;
}

const reported = new Set();
for (const unit of [...graph.keys()].sort()) {
  const cycle = findCycle(unit);
  const key = cycle?.toSorted().join(' ');
  if (!cycle || reported.has(key)) continue;
  reported.add(key);
  const links = cycle.map((from, index) => {
    const to = cycle[(index + 1) % cycle.length];
    return `  ${from} imports ${to} in ${[...new Set(graph.get(from).get(to))].join(', ')}`;
  });
  problems.push(`folders import each other:\n${links.join('\n')}`);
}

if (problems.length > 0) console.error(problems.join('\n'));
else console.log(`imports: ${graph.size} folders, no cycles`);
process.exitCode = problems.length > 0 ? 1 : 0;
