// Checks which folder may import which: the layers of the server and the dashboard point one way, no two folders import each other,
// whether directly or through others, and a page or a tab of the dashboard is only imported by its public file. Tests may import what
// they like.
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
 * What a file counts as: the noun of a feature, the feature itself, a tab of a page, the page itself, a part of the server, a folder of
 * the domain or the dashboard, or a file that is in none of them.
 */
function unitOf(path) {
  const [tab] = /^dashboard\/src\/pages\/[\w-]+\/[\w-]+(?=\/)/.exec(path) ?? [];
  const [noun] = /^server\/src\/features\/\w+\/[\w-]+(?=\/)/.exec(path) ?? [];
  const [feature] = /^server\/src\/features\/\w+(?=\/)/.exec(path) ?? [];
  const [part] = /^(?:server|domain|dashboard)\/src\/[^/]+/.exec(path) ?? [];
  return tab ?? pageOf(path) ?? noun ?? feature ?? part;
}

/** The folder of a page of the dashboard: `dashboard/src/pages/experiences`. */
function pageOf(path) {
  return /^dashboard\/src\/pages\/[\w-]+(?=\/)/.exec(path)?.[0];
}

/** Why a file must not import another one below `pages/`, if it must not. */
function pageProblem(from, to) {
  if (!pageOf(to) || unitOf(from) === unitOf(to)) return undefined;
  const isSamePage = pageOf(from) === pageOf(to);
  if (!isSamePage && from !== 'dashboard/src/routes.tsx')
    return `${from} must not import ${to}: what several pages share belongs in a folder beside pages/`;
  const isPublic = to.endsWith('-page.tsx') || (isSamePage && /(-tab\.tsx|\/index\.ts)$/.test(to));
  return isPublic ? undefined : `${from} must not import ${to}: it is an inner file of ${unitOf(to)}`;
}

const importCall = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g;
const graph = new Map();
const problems = [];
for (const file of ['server/src', 'domain/src', 'dashboard/src'].flatMap(listFiles)) {
  const from = unitOf(file);
  if (!from) continue;
  for (const [, specifier] of readFileSync(join(root, file), 'utf8').matchAll(importCall)) {
    const target = join(dirname(file), specifier);
    const to = unitOf(target);
    const problem = pageProblem(file, target);
    if (problem) problems.push(problem);
    if (!to || to === from) continue;
    const targets = graph.get(from) ?? new Map();
    graph.set(from, targets.set(to, [...(targets.get(to) ?? []), file]));
  }
}

/** The folders that each folder of the server and the dashboard must not import, because it is a layer below them. */
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
for (const [from, targets] of graph)
  for (const [part, names] of Object.entries(forbidden))
    for (const [to, files] of targets)
      if (
        (from === part || from.startsWith(`${part}/`)) &&
        names.some((name) => to.startsWith(`${packageOf(part)}/src/${name}`))
      )
        problems.push(`${part} must not import ${to}: ${[...new Set(files)].join(', ')}`);

/** The shortest cycle of imports through a folder, if there is one. */
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
