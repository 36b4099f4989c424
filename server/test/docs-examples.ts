import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const GUIDE = 'docs/guides/send-your-users.md';
export const guide = readFileSync(`${root}/${GUIDE}`, 'utf8');

/** Returns the fenced blocks that a reader should run: those marked `bash`. */
export function commandsIn(page: string): string[] {
  const text = readFileSync(`${root}/${page}`, 'utf8');
  return [...text.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block]) => block as string);
}

export const exampleApps = ['react', 'vue', 'svelte'];

/** How a reader runs an example: the code is saved in `file`. */
export const languages = {
  bash: { command: 'bash', options: ['-e'], file: 'example.sh' },
  js: { command: 'node', options: [], file: 'example.mjs' },
  python: { command: 'python3', options: [], file: 'example.py' },
  ruby: { command: 'ruby', options: [], file: 'example.rb' },
} as const;
export type Language = keyof typeof languages;

export interface Example {
  language: Language;
  title: string;
  code: string;
  /** The output that the page shows. */
  output: string;
}

/** Returns every example of a page in order, with the output block below it. */
export function examplesIn(text: string): Example[] {
  const words = Object.keys(languages).join('|');
  const fences = new RegExp(`^\`\`\`(${words})\\n(.*?)^\`\`\`$(?:\\n\\n^\`\`\`text\\n(.*?)^\`\`\`$)?`, 'gms');
  return [...text.matchAll(fences)].map(({ 1: language = '', 2: code = '', 3: output = '', index }) => {
    const heading = [...text.slice(0, index).matchAll(/^##+ (.*)$/gm)].at(-1)?.[1] ?? '';
    return { language: language as Language, title: `${heading}, ${language}`, code, output };
  });
}

/** A pattern for an output: IDs differ in each run, and `…` stands for any text. */
export function patternOf(output: string): RegExp {
  const exact = output.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${exact.replace(/\b[0-9a-f]{24}\b/g, '[0-9a-f]{24}').replaceAll('…', '.*')}$`);
}
