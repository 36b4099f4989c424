// Checks names, comments, texts and documentation for the words that docs/vocabulary.md rejects. Migrations keep their words: they
// must not change.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const vocabulary = readFileSync(join(root, 'docs/vocabulary.md'), 'utf8');
const [, section = ''] = vocabulary.split('## Words that the check rejects');
const instead = new Map(
  [...section.matchAll(/^\| (?!instead of|-)([^|]+) \| ([^|]+) \|$/gm)].flatMap(([, words = '', write = '']) =>
    words.split(', ').map((word) => [word, write]),
  ),
);
if (instead.size === 0) throw new Error('docs/vocabulary.md has no table below "Words that the check rejects"');

const ends = '(?:s|es|d|ed|ing)?';
const rejected = new RegExp(`(?<![a-z])(${[...instead.keys()].join('|')})${ends}(?![a-z])`, 'gi');
/**
 * "findProfileById" and "profile_row" become words. Functions of PostgreSQL, headers that
 * others have named, and an option that tools for installing share, have their own.
 */
const toWords = (line) =>
  line
    .replace(/\bpg_\w+|\bidempotency-re\w+|\breplay-nonce\b|--purge\b/gi, '')
    .replace(/([a-z0-9])(?=[A-Z])|[_-]/g, '$1 ');

const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.js', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file && !/^CHANGELOG\.md$|^docs\/vocabulary\.md$|\/migrations?\//.test(file));
const problems = files.flatMap((file) => [
  ...findIn(file, file),
  ...readFileSync(join(root, file), 'utf8')
    .split('\n')
    .flatMap((line, at) => findIn(line, `${file}:${at + 1}`)),
]);

function findIn(text, place) {
  return [...toWords(text).matchAll(rejected)].map(
    ([, word = '']) => `${place}: instead of "${word}" write ${instead.get(word.toLowerCase())}`,
  );
}

if (problems.length > 0) console.error(`docs/vocabulary.md rejects these words:\n${problems.join('\n')}`);
else console.log(`words: ${files.length} files, none that the vocabulary rejects`);
process.exitCode = problems.length > 0 ? 1 : 0;
