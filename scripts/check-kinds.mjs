// Checks that code which differs by the kind of an Experience is in a folder `kinds/`. All other code asks what a kind is like:
// `kinds[kind].asks`. docs/fields-and-kinds.md says how to add one.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const names = '(?:tour|survey|launcher|tooltip|embed)';
const branch = new RegExp(`\\w*[kK]ind\\b[\\w.?]* ?[!=]== '${names}'|\\bcase '${names}':`);
/** Filters and actions of buttons have kinds of their own, with some of the same names. */
const otherKinds =
  /^domain\/src\/targeting\/|^(server\/src\/features\/audience|dashboard\/src)\/filters\/|\/button-actions\.tsx$/;

const problems = ['domain', 'server', 'script', 'dashboard'].flatMap((name) =>
  readdirSync(join(root, name, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => join(name, 'src', file))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$|\/kinds\//.test(file) && !otherKinds.test(file))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, at) => (branch.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
    ),
);
if (problems.length > 0) console.error(`Ask what the kind is like, or move this into kinds/:\n${problems.join('\n')}`);
else console.log('kinds: no branches outside of kinds/');
process.exitCode = problems.length > 0 ? 1 : 0;
