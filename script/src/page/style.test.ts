import { readFileSync } from 'node:fs';
import { transform } from 'esbuild';
import { describe, expect, it } from 'vitest';

const source = readFileSync(new URL('style.css', import.meta.url), 'utf8');

describe('style', () => {
  it('has a light color for each light-dark() color, for browsers without light-dark()', async () => {
    const { code } = await transform(source, { loader: 'css', minify: true });
    const style = code.replace(/([:,]) /g, '$1');
    const [, fallback = ''] = /@supports not \(color:light-dark\(red,red\)\)\{:host>\*\{([^}]*)\}\}/.exec(style) ?? [];
    const both = [...style.replace(fallback, '').matchAll(/(--\w+):([^;]*)light-dark\((#\w+),#\w+\)(\)?)/g)];
    expect(both.length).toBeGreaterThan(0);
    expect(fallback.split(';')).toEqual(
      both.map(([, name, before, light, after]) => `${name}:${before}${light}${after}`),
    );
  });
});
