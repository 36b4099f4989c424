import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contrast } from './readable-on.ts';

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');
const tokens = new Map(
  [...css.matchAll(/--color-([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name, light, dark]) => [
    name as string,
    { light: light as string, dark: dark as string },
  ]),
);

const grounds = ['ground', 'surface', 'raised'];
const texts = [
  ...['ink', 'soft', 'faint', 'accent', 'bad'].map((text) => ({ text, on: grounds })),
  { text: 'ink', on: ['hover', 'pressed', 'accent-tint', 'good-tint', 'warn-tint', 'bad-tint'] },
  { text: 'soft', on: ['hover', 'accent-tint', 'good-tint', 'warn-tint', 'bad-tint'] },
  { text: 'accent', on: ['accent-tint', 'hover'] },
  { text: 'good', on: ['good-tint', ...grounds] },
  { text: 'warn', on: ['warn-tint', ...grounds] },
  { text: 'bad', on: ['bad-tint', 'hover'] },
  { text: 'on-accent', on: ['accent', 'accent-strong'] },
  { text: 'on-bad', on: ['bad', 'bad-strong'] },
  { text: 'on-rail', on: ['rail', 'rail-hover', 'rail-current'] },
  { text: 'on-rail-soft', on: ['rail', 'rail-hover'] },
];
const controls = [
  { control: 'edge', on: grounds },
  { control: 'accent', on: [...grounds, 'hover', 'accent-tint'] },
  { control: 'bad', on: grounds },
  { control: 'torch', on: ['rail', 'rail-hover', 'rail-current'] },
  ...[1, 2, 3, 4, 5].map((series) => ({ control: `chart-${series}`, on: grounds })),
];

const pairs = (scheme: 'light' | 'dark', list: readonly { name: string; on: readonly string[] }[]) =>
  list.flatMap(({ name, on }) =>
    on.map((ground) => {
      const [front, back] = [tokens.get(name)?.[scheme] ?? '', tokens.get(ground)?.[scheme] ?? ''];
      return { pair: `${name} on ${ground}`, contrast: contrast(front, back) };
    }),
  );

describe.each(['light', 'dark'] as const)('the %s colors', (scheme) => {
  it('have a contrast of 4.5 where there is text', () => {
    const all = pairs(
      scheme,
      texts.map(({ text, on }) => ({ name: text, on })),
    );
    expect(all.length).toBeGreaterThan(30);
    expect(all.filter(({ contrast }) => !(contrast >= 4.5))).toEqual([]);
  });

  it('have a contrast of 3 where there are controls', () => {
    const all = pairs(
      scheme,
      controls.map(({ control, on }) => ({ name: control, on })),
    );
    expect(all.filter(({ contrast }) => !(contrast >= 3))).toEqual([]);
  });
});
