// Checks that code which differs by the kind of an Experience is in a folder `kinds/`. All other code asks what a kind is like:
// `kinds[kind].asks`. docs/fields-and-kinds.md says how to add one.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const [, all = ''] =
  /^const all = \{(.*)\};$/m.exec(readFileSync(join(root, 'domain/src/kinds/kinds.ts'), 'utf8')) ?? [];
const names = `(?:${all.trim().split(/,\s*/).join('|')})`;
const shapes = [
  // kind === 'tour', kindOf(id) === 'tour', case 'tour':
  new RegExp(`[kK]ind\\w*[\\w.?]*(?:\\([^)]*\\))? ?[!=]== '${names}'|\\bcase '${names}':`, 'g'),
  // ['tour', 'survey'], 'tours' | 'surveys'
  new RegExp(`'${names}s?'\\s*[,|]\\s*'${names}s?'`, 'g'),
  // { tour: …, survey: … }, also on two lines
  new RegExp(`(?<![\\w.'?-] ?)${names}s?: [^\\n]*?\\n?[^\\n]*?(?<=[{,]\\s*|^\\s*)${names}s?:`, 'gm'),
  // a kind that is passed on: find(ctx, 'survey', id), { kind: 'survey' }
  new RegExp(`\\(\\w+, (?:\\w+, )?'${names}s?'[,)]|\\b[kK]ind: '${names}s?'`, 'g'),
];
/**
 * Filters, actions of buttons and items of launchers have kinds of their own, with some of the same names: the API names what they
 * start. So have the frames of captures. Templates, samples and the tour of the dashboard are Experiences of one kind each.
 */
const otherKinds = [
  /^domain\/src\/(targeting|templates)\/|^domain\/src\/fields\/(button|item)-fields\.ts$|^domain\/src\/(content\/publish|sentences\/english)\.ts$/,
  /^server\/src\/features\/(audience\/filters|install\/sample-data)\/|\/(build-decision-input|render-svg)\.ts$/,
  /^dashboard\/src\/(filters|pages\/components)\/|\/(button-actions|campaign-field)\.tsx$|\/paint-tour\.ts$|\/messages\/en\/(content|filters)\.ts$/,
  // A migration has the kinds of its time.
  /^server\/src\/db\/migrations\//,
  // This file is generated.
  /^dashboard\/src\/api\/schema\.ts$/,
];

const problems = ['domain', 'server', 'script', 'dashboard'].flatMap((name) =>
  readdirSync(join(root, name, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => join(name, 'src', file))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$|\/kinds[./]/.test(file))
    .filter((file) => !otherKinds.some((pattern) => pattern.test(file)))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const places = shapes.flatMap((shape) => [...text.matchAll(shape)].map(({ index }) => index));
      const lines = new Set(places.map((place) => text.slice(0, place).split('\n').length));
      return [...lines].sort((a, b) => a - b).map((line) => `${file}:${line}: ${text.split('\n')[line - 1]?.trim()}`);
    }),
);
if (problems.length > 0) console.error(`Ask what the kind is like, or move this into kinds/:\n${problems.join('\n')}`);
else console.log('kinds: no branches outside of kinds/');
process.exitCode = problems.length > 0 ? 1 : 0;
