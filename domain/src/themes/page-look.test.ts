import { describe, expect, it } from 'vitest';
import { findContrastProblems } from './contrast.ts';
import { nearestShadow } from './look-parts.ts';
import { proposeTheme } from './page-look.ts';
import type { ElementLook } from './page-look-schema.ts';
import { themeFields } from './theme-fields.ts';

const look = (fields: Partial<ElementLook> = {}): ElementLook => ({
  ...{ font: 'Inter, sans-serif', font_size: 14, font_weight: 400, line_height: 1.5 },
  ...{ color: '111111', background: 'ffffff', border_width: 0, radius: 6, shadow: 0, ...fields },
});

describe('proposeTheme', () => {
  it('sets the fields of the first button, the titles, the box and the links', () => {
    const proposed = proposeTheme({
      light: {
        button: look({ color: 'ffffff', background: '1f5f4a', font_weight: 600, radius: 4 }),
        heading: look({ font: 'Lora, serif', font_size: 20, font_weight: 700, line_height: 1.2, color: '222222' }),
        card: look({ border_width: 1, border_color: 'dddddd', radius: 12, shadow: 4, font_size: 15 }),
        link: look({ color: '0b5fff' }),
      },
    });
    expect(proposed).toEqual({
      style_font: 'Inter, sans-serif',
      style_font_size: '15',
      style_font_weight: '400',
      style_line_height: '1.5',
      style_title_font: 'Lora, serif',
      style_title_font_size: '20',
      style_title_font_weight: '700',
      style_title_line_height: '1.2',
      style_button_font: 'Inter, sans-serif',
      style_button_font_size: '14',
      style_button_font_weight: '600',
      style_button_line_height: '1.5',
      style_button_radius: '4',
      style_radius: '12',
      style_border_width: '1',
      style_shadow: 'small',
      style_color_background: 'ffffff',
      style_color_text: '111111',
      style_color_title: '222222',
      style_color_link: '0b5fff',
      style_color_border: 'dddddd',
      style_color_button_highlight: '1f5f4a',
      style_color_button_text: 'ffffff',
      style_color_button_border: '1f5f4a',
    });
  });

  it('sets nothing for elements that were skipped', () => {
    expect(proposeTheme({})).toEqual({});
    expect(proposeTheme({ light: { link: look({ color: '0b5fff' }) } })).toEqual({ style_color_link: '0b5fff' });
  });

  it('takes only colors from the second look, and shapes from it if there is no first', () => {
    const dark = { button: look({ color: '000000', background: '88ddbb', radius: 9 }) };
    const both = proposeTheme({ light: { button: look({ radius: 4 }) }, dark });
    expect(both).toMatchObject({ style_button_radius: '4', style_dark_color_button_highlight: '88ddbb' });
    const onlyDark = proposeTheme({ dark });
    expect(onlyDark).toMatchObject({ style_button_radius: '9', style_dark_color_button_text: '000000' });
    expect(Object.keys(onlyDark).filter((name) => name.startsWith('style_color_'))).toEqual([]);
  });

  it('brings numbers into the limits of their fields, and leaves out fonts that a theme cannot have', () => {
    const extreme = look({ font: 'a;b', font_size: 900, font_weight: 1000, line_height: 0.5, radius: 9999 });
    const proposed = proposeTheme({ light: { button: extreme, heading: extreme, card: extreme, link: extreme } });
    expect(proposed).toMatchObject({
      ...{ style_font_size: '48', style_title_font_size: '24', style_button_font_weight: '900' },
      ...{ style_line_height: '1', style_button_radius: '40' },
    });
    expect(proposed).not.toHaveProperty('style_font');
    for (const name of Object.keys(proposed)) expect(themeFields).toHaveProperty(name);
  });

  it('keeps colors that cannot be read: publishing a theme names them', () => {
    const proposed = proposeTheme({ light: { button: look({ color: 'ffffff', background: 'ffee00' }) } });
    expect(proposed).toMatchObject({ style_color_button_text: 'ffffff', style_color_button_highlight: 'ffee00' });
    expect(findContrastProblems(proposed)).not.toEqual([]);
  });
});

describe('nearestShadow', () => {
  it.each([
    [0, 'none'],
    [4, 'small'],
    [28, 'medium'],
    [92, 'large'],
  ])('a reach of %d pixels is %s', (reach, word) => expect(nearestShadow(reach)).toBe(word));
});
