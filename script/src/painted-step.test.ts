import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/painted-step.md', root), 'utf8');

/** The files that the guide names, each with the functions that it names after the file. */
const files = [...page.matchAll(/`(script\/[\w./-]+)`((?:(?!`script\/)[\s\S])*)/g)].map(([, path = '', text = '']) => ({
  path,
  functions: [...text.matchAll(/`(\w+)\(\)`/g)].map(([, name]) => name),
}));

describe('docs/painted-step.md', () => {
  it('names at least a dozen files', () => {
    expect(files.length).toBeGreaterThan(12);
  });

  it.each(files)('names the file $path, which exists', ({ path }) => {
    expect(existsSync(new URL(path, root))).toBe(true);
  });

  it.each(files.filter(({ functions }) => functions.length > 0))('names $functions, which $path has', (file) => {
    const source = readFileSync(new URL(file.path, root), 'utf8');
    const isDefined = (name: string | undefined) =>
      new RegExp(`function ${name}\\(|const ${name}\\b[^=]*=|\\b${name}: (async )?\\(`).test(source);
    expect(file.functions.filter((name) => !isDefined(name))).toEqual([]);
  });
});
