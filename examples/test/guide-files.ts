import { readFileSync } from 'node:fs';

/** Returns the text of a guide. */
export const readGuide = (name: string) =>
  readFileSync(new URL(`../../docs/guides/${name}.md`, import.meta.url), 'utf8');

/** Returns the first block of code in a language. */
export function blockOf(guide: string, language: string): string {
  const [, code] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(guide) ?? [];
  if (code === undefined) throw new Error(`The guide has no ${language}`);
  return code;
}

/** Returns the code of each file: the paragraph before it names the file. */
export function filesOf(guide: string): Record<string, string> {
  const blocks = guide.matchAll(/^```\w+\n(.*?)^```$/gms);
  return Object.fromEntries(
    [...blocks].flatMap(({ 1: code = '', index }) => {
      const paragraph = guide.slice(0, index).trimEnd().split('\n\n').at(-1) ?? '';
      const [, name] = /`([\w./-]+\.\w+)`/.exec(paragraph) ?? [];
      return name ? [[name, code]] : [];
    }),
  );
}
