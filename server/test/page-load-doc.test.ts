import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const pages = ['docs/page-load.md'];

interface NamedFile {
  path: string;
  /** The functions that the guide names between this file and the next one. */
  functions: string[];
}

function listFiles(page: string): NamedFile[] {
  const text = readFileSync(new URL(page, root), 'utf8');
  const [, ...parts] = text.split(/`((?:server|domain|script)\/[\w./-]+)`/);
  return parts.flatMap((path, index) =>
    index % 2 === 0 ? { path, functions: [...(parts[index + 1] ?? '').matchAll(/`(\w+)\(\)`/g)].map(toName) } : [],
  );
}

function toName([, name = '']: RegExpMatchArray): string {
  return name;
}

/** Whether the source defines a function, a method, or a property with this name. */
function defines(source: string, name: string): boolean {
  return new RegExp(
    `\\bfunction ${name}\\b|\\bconst ${name}\\b|^ +(?:readonly |async )*#?${name}(?:<[^>\\n]*>)?(?:\\(| = |: )`,
    'm',
  ).test(source);
}

describe.each(pages)('%s', (page) => {
  const files = listFiles(page);

  it('names a dozen files or more', () => {
    expect(files.length).toBeGreaterThanOrEqual(12);
  });

  it.each(files)('names $path with functions that the file defines: $functions', ({ path, functions }) => {
    expect(existsSync(new URL(path, root))).toBe(true);
    const source = readFileSync(new URL(path, root), 'utf8');
    expect(functions.filter((name) => !defines(source, name))).toEqual([]);
  });
});
