import { describe, expect, it } from 'vitest';
import { style } from './style.ts';

describe('The colours', () => {
  it('have a light one each for browsers that do not know light-dark()', () => {
    const [, fallback = ''] = /@supports not \(color:light-dark\(red,red\)\)\{:host>\*\{(.*)\}\}/.exec(style) ?? [];
    const both = [...style.replace(fallback, '').matchAll(/(--\w+):([^;]*)light-dark\((#\w+),#\w+\)(\)?)/g)];
    expect(both.length).toBeGreaterThan(0);
    expect(fallback.split(';')).toEqual(
      both.map(([, name, before, light, after]) => `${name}:${before}${light}${after}`),
    );
  });
});
