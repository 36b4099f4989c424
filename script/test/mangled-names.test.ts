import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const names = JSON.parse(readFileSync(new URL('script/dist/mangled-names.json', root), 'utf8')) as string[];
/** The names of the browser's properties, also names in option objects such as `{preventScroll: true}`. */
const browserTypes = ((): string => {
  const folder = new URL('node_modules/@typescript/', root);
  const compiler = readdirSync(folder).find((name) => name.startsWith('typescript-'));
  return readFileSync(new URL(`${compiler}/lib/lib.dom.d.ts`, folder), 'utf8');
})();

describe('the names that the build makes shorter', () => {
  it('are not names of the browser', () => {
    const taken = new Set(
      [...browserTypes.matchAll(/^ {4}(?:readonly |get |set )?(\w+)[?:(<]/gm)].map(([, name]) => name),
    );
    expect(taken).toContain('preventScroll');
    expect(names.filter((name) => taken.has(name))).toEqual([]);
  });
});
