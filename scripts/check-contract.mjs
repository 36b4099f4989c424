// Checks docs/contract.md: every row is well formed, and every test a row names exists under that exact title.
// `--done foundation,people` also fails on rows of those capabilities that no test holds yet.
import { existsSync, readFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const capabilities = ['foundation', 'people', 'experiences', 'deliveries', 'script', 'webhooks', 'dashboard'];
const notYet = new Map(capabilities.map((name) => [name, 0]));

const doneAt = process.argv.indexOf('--done');
const done = doneAt < 0 ? [] : (process.argv[doneAt + 1] ?? '').split(',');
const problems = done.filter((name) => !notYet.has(name)).map((name) => `--done: unknown capability "${name}"`);

// The title of a test: the string that opens it(…), test(…) or the second call of it.each(…)(…).
// A skipped test, a todo and a test in a line comment hold nothing.
const testCall = /(?:\b(?:it|test)(?:\.(?:only|concurrent|sequential))*|[)`])\s*\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/gs;
function titlesIn(source) {
  const calls = source.replace(/^\s*\/\/.*$/gm, '').matchAll(testCall);
  return Array.from(calls, (call) => call[2].replace(/\\(['"`\\])/g, '$1'));
}

function problemOfHolder(holder) {
  const [, path, title] = /^(\S+) › (.+)$/.exec(holder.trim()) ?? [];
  if (!path) return `"${holder}" is not "path › test title"`;
  const file = new URL(path, root);
  if (!existsSync(file)) return `no such file: ${path}`;
  return titlesIn(readFileSync(file, 'utf8')).includes(title) ? null : `no test "${title}" in ${path}`;
}

function problemsOfRow(line) {
  const cells = line
    .trim()
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
  if (cells.length !== 5 || cells[0] !== '' || cells[4] !== '') return ['a row has exactly three cells'];
  const [, statement, capability, heldBy] = cells;
  if (!statement || !capability || !heldBy) return ['empty cell'];
  if (!notYet.has(capability)) return [`unknown capability "${capability}"`];
  if (heldBy !== 'not yet') return heldBy.split('<br>').map(problemOfHolder).filter(Boolean);
  notYet.set(capability, notYet.get(capability) + 1);
  return done.includes(capability) ? [`${capability} is done, but no test holds: ${statement}`] : [];
}

const lines = readFileSync(new URL('docs/contract.md', root), 'utf8').split(/\r?\n/);
let statements = 0;
for (const [index, line] of lines.entries()) {
  const inTable = line.trim() !== '' && (line.startsWith('|') || lines[index - 1]?.startsWith('|'));
  if (!inTable || line.startsWith('|---') || line === '| statement | capability | held by |') continue;
  statements += 1;
  problems.push(...problemsOfRow(line).map((problem) => `docs/contract.md:${index + 1}: ${problem}`));
}
if (statements === 0) problems.push('docs/contract.md: no statements found');

const open = [...notYet.values()].reduce((sum, count) => sum + count, 0);
const perCapability = [...notYet].map(([name, count]) => `${name} ${count}`).join(', ');
if (problems.length > 0) console.error(problems.join('\n'));
else console.log(`contract: ${statements} statements, ${statements - open} held, ${open} not yet (${perCapability})`);
process.exitCode = problems.length > 0 ? 1 : 0;
