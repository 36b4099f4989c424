// Checks docs/contract/*.json: every statement is well formed, and every test it names exists under that exact title.
// `--done foundation,people` also fails on statements of those capabilities that no test holds yet.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const folder = new URL('docs/contract/', root);
const capabilities = ['foundation', 'people', 'experiences', 'deliveries', 'script', 'webhooks', 'dashboard'];
const untested = new Map(capabilities.map((name) => [name, 0]));

const doneAt = process.argv.indexOf('--done');
const done = doneAt < 0 ? [] : (process.argv[doneAt + 1] ?? '').split(',');
const problems = done.filter((name) => !untested.has(name)).map((name) => `--done: unknown capability "${name}"`);

// The title of a test is the string that opens it(…), test(…) or the second call of it.each(…)(…).
// A skipped test, a todo and a test in a line comment prove nothing.
const testCall = /(?:\b(?:it|test)(?:\.(?:only|concurrent|sequential))*|[)`])\s*\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/gs;
const titlesByFile = new Map();

function titlesIn(path) {
  if (!titlesByFile.has(path)) {
    const source = readFileSync(new URL(path, root), 'utf8').replace(/^\s*\/\/.*$/gm, '');
    titlesByFile.set(
      path,
      new Set(Array.from(source.matchAll(testCall), (call) => call[2].replace(/\\(['"`\\])/g, '$1'))),
    );
  }
  return titlesByFile.get(path);
}

function findTestProblem(test) {
  const [, path, title] = /^(\S+) › (.+)$/.exec(test) ?? [];
  if (!path) return `"${test}" is not "path › test title"`;
  if (!existsSync(new URL(path, root))) return `no such file: ${path}`;
  return titlesIn(path).has(title) ? undefined : `no test "${title}" in ${path}`;
}

function findProblems({ statement, capability, tests }) {
  if (!statement || !untested.has(capability) || !Array.isArray(tests))
    return [`needs a statement, a known capability and a list of tests: ${JSON.stringify(statement)}`];
  if (tests.length > 0) return tests.map(findTestProblem).filter(Boolean);
  untested.set(capability, untested.get(capability) + 1);
  return done.includes(capability) ? [`${capability} is done, but no test holds: ${statement}`] : [];
}

let statements = 0;
for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
  const { sections } = JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
  for (const row of sections.flatMap((section) => section.statements)) {
    statements += 1;
    problems.push(...findProblems(row).map((problem) => `docs/contract/${name}: ${problem}`));
  }
}
if (statements === 0) problems.push('docs/contract: no statements found');

const open = [...untested.values()].reduce((sum, count) => sum + count, 0);
const perCapability = [...untested].map(([name, count]) => `${name} ${count}`).join(', ');
if (problems.length > 0) console.error(problems.join('\n'));
else console.log(`contract: ${statements} statements, ${statements - open} tested, ${open} not yet (${perCapability})`);
process.exitCode = problems.length > 0 ? 1 : 0;
