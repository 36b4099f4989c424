import { describe, expect, it } from 'vitest';
import { contrastRatio, findContrastProblems, listContrasts, nearestReadable, shownColor } from './contrast.ts';
import { memoizeTexts } from './memoize-texts.ts';
import { toPageTheme } from './page-theme.ts';
import { NOT_CLOSE } from './theme-css.ts';
import { emptyTheme } from './theme-document.ts';
import { describeThemeValue, readThemeValue, type ThemeField, themeFields } from './theme-fields.ts';
import { themeStarts } from './theme-starts.ts';
import { createThemeSheet } from './theme-style.ts';

const field = (name: string) => themeFields[name] as ThemeField;

describe('the value of a field', () => {
  it.each([
    ['style_color_text', '#3B48CC', '3b48cc'],
    ['style_color_text', 'red', undefined],
    ['style_color_text', '#fff', undefined],
    ['style_dark_color_text', '000000', '000000'],
    ['style_font', '"Source Sans 3", system-ui', '"Source Sans 3", system-ui'],
    ['style_font', 'a;color:red', undefined],
    ['style_font', '"a', undefined],
    ['style_font', 'a\\22', undefined],
    ['style_font_size', '16px', '16'],
    ['style_font_size', '7', undefined],
    ['style_title_font_weight', '600', '600'],
    ['style_line_height', '1.4', '1.4'],
    ['style_radius', '0', '0'],
    ['style_radius', '41', undefined],
    ['style_progress', 'bar', 'bar'],
    ['style_progress', 'constructor', undefined],
    ['style_backdrop_opacity', '40', '40'],
  ])('%s of %j is %j', (name, value, expected) => {
    expect(readThemeValue(field(name), value)).toBe(expected);
  });

  it('is described for a message', () => {
    expect(describeThemeValue(field('style_radius'))).toBe('a number from 0 to 40');
    expect(describeThemeValue(field('style_motion'))).toBe('one of `none`, `fade`, `slide`');
  });
});

describe('contrast', () => {
  it('is computed as WCAG defines it', () => {
    expect(contrastRatio('000000', 'ffffff')).toBe(21);
    expect(contrastRatio('777777', 'ffffff')).toBeCloseTo(4.48, 2);
  });

  it('has no problem in the look of the script', () => {
    expect(findContrastProblems({})).toEqual([]);
  });

  it('names the field to change, and the nearest color that is enough', () => {
    const problems = findContrastProblems({ style_color_text: '999999', style_color_title: '000000' });
    expect(problems).toMatchObject([
      { scheme: 'light', over: 'text', under: 'background', min: 4.5, field: 'style_color_text' },
    ]);
    for (const { suggestion, min } of problems) expect(contrastRatio(suggestion, 'ffffff')).toBeGreaterThanOrEqual(min);
  });

  it('names a color of its own that cannot be read on another', () => {
    const styles = { style_color_button_highlight: 'ffee00', style_dark_color_link: '333333' };
    expect(findContrastProblems(styles).map(({ field, over, under }) => [field, over, under])).toEqual([
      ['style_color_button_highlight', 'link', 'background'],
      ['style_color_button_text', 'button_text', 'button_highlight'],
      ['style_dark_color_link', 'link', 'background'],
    ]);
  });

  it('suggests colors that can all be taken', () => {
    const styles = { style_color_button_highlight: 'ffff88', style_color_button_text: 'ffffff' };
    const better = findContrastProblems(styles).map(({ field, suggestion }) => [field, suggestion]);
    expect(better.length).toBeGreaterThan(0);
    expect(findContrastProblems({ ...styles, ...Object.fromEntries(better) })).toEqual([]);
  });

  it('uses the color that shows when a field has none', () => {
    expect(shownColor({ style_color_button_highlight: '00ff00' }, 'icon_background', 'light')).toBe('00ff00');
    expect(shownColor({ style_color_button_highlight: '00ff00' }, 'icon_background', 'dark')).toBe('a3b1ff');
  });

  it('finds a readable color on every background', () => {
    for (const under of ['000000', '777777', '808080', 'ffffff', '3b48cc'])
      expect(contrastRatio(nearestReadable(under, under, 4.5), under)).toBeGreaterThanOrEqual(4.5);
  });
});

describe('the style sheet', () => {
  it('is empty for a theme without values', () => {
    expect(createThemeSheet({}, null).css).toBe('');
  });

  it('has both colors, and the light one for browsers that know one only', () => {
    const { class: name, css } = createThemeSheet(
      { style_color_background: '112233', style_dark_color_title: 'ffeedd', style_radius: '3' },
      null,
    );
    expect(css).toBe(
      `.${name}{--t-background:#112233;--t-title:#161b26}@supports (color:light-dark(red,red)){.${name}{--t-background:light-dark(#112233,#1d212b);--t-title:light-dark(#161b26,#ffeedd)}}.${name}{--bg:var(--t-background)}.${name} .title{color:var(--t-title)}.${name}{--radius:3px}`,
    );
  });

  it('has another class when a value differs', () => {
    const classes = ['1', '2'].map((style_radius) => createThemeSheet({ style_radius }, null).class);
    expect(new Set(classes).size).toBe(2);
  });

  it('leaves out rules of an owner that cannot be read', () => {
    expect(createThemeSheet({}, ':host{display:none}').css).toBe('');
    expect(createThemeSheet({}, '.title{color:red}').css).toContain(` .title${NOT_CLOSE}{color:red}`);
  });
});

describe('cached texts', () => {
  const counting = (maxCharacters: number) => {
    const computed: string[] = [];
    const repeat = memoizeTexts((text) => {
      computed.push(text);
      return text.repeat(2);
    }, maxCharacters);
    return { repeat, computed };
  };

  it('are computed once while there is room for them', () => {
    const { repeat, computed } = counting(6);
    for (const text of ['a', 'b', 'a', 'b']) expect(repeat(text)).toBe(text + text);
    expect(computed).toEqual(['a', 'b']);
  });

  it('are forgotten when there is no more room', () => {
    const { repeat, computed } = counting(6);
    for (const text of ['a', 'b', 'long', 'a', 'c', 'a', 'c']) repeat(text);
    expect(computed).toEqual(['a', 'b', 'long', 'c', 'a']);
  });
});

describe('a published theme', () => {
  const variation = (radius: string) => ({
    ...{ name: 'V', filters: [], filters_op: 'and' as const, overrides: { style_radius: radius } },
  });
  const prepare = (...radiuses: string[]) =>
    toPageTheme({ ...emptyTheme('Brand'), style_radius: '3', variations: radiuses.map(variation) });
  const user = (corner: string) => ({ matches: () => true, lookup: () => corner });

  it('knows how long its style sheets are', () => {
    const own = prepare();
    expect(own.characters).toBe(own.jsonFor(user('')).length);
    const two = prepare('4');
    expect(two.characters).toBe(own.characters + two.jsonFor(user('')).length);
  });

  it('has room for the style sheets that depend on the user', () => {
    const merged = prepare('{{corner}}', '{{company.corner}}');
    expect(merged.jsonFor(user('7'))).toContain('--radius:7px');
    expect(merged.jsonFor(user('8'))).toContain('--radius:8px');
    expect(merged.characters).toBeGreaterThan(100 * prepare().characters);
    expect(merged.characters).toBeLessThan(1_000_000);
  });
});

describe('the themes to start from', () => {
  it.each(themeStarts.map((start) => [start.name, start] as const))('%s can be published as it is', (_, { styles }) => {
    for (const [name, value] of Object.entries(styles)) expect(readThemeValue(field(name), value ?? '')).toBe(value);
    expect(findContrastProblems(styles)).toEqual([]);
  });

  it('one of them sets nothing, and one has a contrast of 7 at least', () => {
    expect(themeStarts.some(({ styles }) => Object.keys(styles).length === 0)).toBe(true);
    const high = themeStarts.find(({ id }) => id === 'high_contrast')?.styles ?? {};
    expect(listContrasts(high).filter(({ ratio }) => ratio < 7)).toEqual([]);
  });
});
