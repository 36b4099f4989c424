import { emptyTheme, type ThemeDocument } from '@usher/domain';
import { describe, expect, it } from 'vitest';
import { chooseView, indexOf } from './choose-view.ts';

const theme = (values: Partial<ThemeDocument> = {}): ThemeDocument =>
  ({ ...emptyTheme('Brand'), ...values }) as ThemeDocument;
const variation = (name: string, overrides: Record<string, string>) => ({
  ...{ name, filters: [], filters_op: 'and' as const, overrides },
});

describe('the pictures before publishing a theme', () => {
  it.each<[string, Partial<ThemeDocument>, Partial<ThemeDocument>, ReturnType<typeof chooseView>]>([
    ['a color of light pages', {}, { style_color_text: '111111' }, { scheme: 'light', variation: null }],
    ['a color of dark pages', {}, { style_dark_color_text: 'eeeeee' }, { scheme: 'dark', variation: null }],
    [
      'colors of both',
      {},
      { style_color_text: '111111', style_dark_color_text: 'eeeeee' },
      { scheme: 'light', variation: null },
    ],
    ['a style sheet', {}, { css: '.title { color: red }' }, { scheme: 'light', variation: null }],
    [
      'the second variation',
      { variations: [variation('A', {}), variation('B', {})] },
      { variations: [variation('A', {}), variation('B', { style_dark_color_text: 'eeeeee' })] },
      { scheme: 'dark', variation: 'B' },
    ],
    [
      'a variation that is removed',
      { variations: [variation('A', { style_radius: '3' })] },
      {},
      { scheme: 'light', variation: 'A' },
    ],
    ['nothing', {}, {}, { scheme: 'light', variation: null }],
  ])('show %s', (_, before, after, view) => {
    expect(chooseView(theme(before), theme(after))).toEqual(view);
  });

  it('compare with the look of the script if there is no theme', () => {
    const dark = theme({ style_dark_color_text: 'eeeeee' });
    expect(chooseView(undefined, dark).scheme).toBe('dark');
    expect(chooseView(dark, undefined).scheme).toBe('dark');
  });

  it('find the variation by its name', () => {
    const before = theme({ variations: [variation('A', {}), variation('B', {})] });
    expect([indexOf(before, 'B'), indexOf(before, 'C'), indexOf(before, null), indexOf(undefined, 'B')]).toEqual([
      ...[1, null, null, null],
    ]);
  });
});
