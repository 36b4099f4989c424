import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * A kind of Experience that the product does not have: a notice, with a headline of its own and one step. It is added to a copy of
 * the sources, the way docs/fields-and-kinds.md says. So nothing in the product exists for these tests only.
 */

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The files that only the new kind has. */
const files = {
  'domain/src/kinds/notice.ts': `import { shownText } from '../fields/field.ts';
import type { Kind } from './kind.ts';

export const notice = {
  path: 'notices',
  modelType: 'Campaign',
  fields: { headline: shownText('headline', { max: 80 }) },
  parts: 'steps',
  maxParts: 1,
  isExclusive: true,
  hasWebhooks: true,
  measures: ['started', 'completed', 'exited'],
} as const satisfies Kind;
`,
  'script/src/kinds/notice.ts': `import type { Paint } from '../kind.ts';
import { registerModule } from '../register-module.ts';

const paint: Paint = ({ experience }, ui) =>
  ui.walkThrough({
    state: 'started',
    draw: (step, walk) => ({
      content: [ui.create('p', { class: 'headline' }, ...ui.toNodes(experience.headline))],
      footer: walk.footer(step),
      close: () => walk.end('exited'),
    }),
  });

registerModule('notice', paint);
`,
};

/** The lines of files that list all kinds: each with its replacement. */
const lines: Record<string, readonly (readonly [string, string])[]> = {
  'domain/src/kinds/kinds.ts': [
    [
      "import { survey } from './survey.ts';",
      "import { notice } from './notice.ts';\nimport { survey } from './survey.ts';",
    ],
    ['tooltip, embed };', 'tooltip, embed, notice };'],
  ],
  'script/src/kinds/traits.ts': [
    ["embed: { place: 'inline' },", "embed: { place: 'inline' },\n  notice: { isExclusive: 1 },"],
  ],
  'script/src/kinds/names.d.ts': [["| 'embed'", "| 'embed' | 'notice'"]],
  'dashboard/src/kinds/kind-icon.tsx': [
    ['type LucideIcon, PanelTop', 'type LucideIcon, Megaphone, PanelTop'],
    ['embed: PanelTop,', 'embed: PanelTop,\n  notice: Megaphone,'],
  ],
  'dashboard/src/kinds/new-parts.ts': [
    ["    case 'tour':", "    case 'notice':\n      return { ...place };\n    case 'tour':"],
  ],
  'dashboard/src/messages/en/kinds.ts': [
    ["embed: 'Embed',", "embed: 'Embed',\n  notice: 'Notice',"],
    ["embed: 'Embeds',", "embed: 'Embeds',\n  notice: 'Notices',"],
    ["embed: 'embed',", "embed: 'embed',\n  notice: 'notice',"],
  ],
};

/** Every file that a new kind needs. */
export const filesOfKind = [...Object.keys(files), ...Object.keys(lines)];

/** Copies the sources into a new folder and adds the kind. Returns the folder. */
export async function copyWithNewKind(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'usher-kind-'));
  const isSource = (path: string) =>
    !/\/(node_modules|dist|test\/pictures)(\/|$)|\.test\.ts$/.test(path.slice(root.length - 1));
  for (const name of [
    'domain',
    'server',
    'script',
    'dashboard',
    'scripts',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
  ])
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: isSource });
  for (const name of ['docs', 'examples', 'LICENSE']) symlinkSync(join(root, name), join(folder, name));
  await linkPackages(folder);
  for (const [path, content] of Object.entries(files)) writeFileSync(join(folder, path), content);
  for (const [path, replacements] of Object.entries(lines)) {
    const file = join(folder, path);
    const added = replacements.reduce(
      (text, [before, after]) => replaceOnce(path, text, before, after),
      readFileSync(file, 'utf8'),
    );
    writeFileSync(file, added);
  }
  return folder;
}

/** Packages of others come from the repository. The repository's own packages come from the copy. */
async function linkPackages(folder: string): Promise<void> {
  await mkdir(join(folder, 'node_modules/@usher'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@usher') symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  for (const name of ['domain', 'server', 'script', 'dashboard'])
    symlinkSync(join(folder, name), join(folder, 'node_modules/@usher', name));
}

function replaceOnce(path: string, text: string, before: string, after: string): string {
  const [start, end, ...more] = text.split(before);
  if (end === undefined || more.length > 0) throw new Error(`${path} should have this once: ${before}`);
  return `${start}${after}${end}`;
}

export function removeCopy(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
