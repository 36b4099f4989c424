import { DARK, LIGHT, type ThemeColor, type ThemeStyles } from './theme-fields.ts';

/* The themes that a new theme can start from, as plain data. */

export interface ThemeStart {
  id: string;
  name: string;
  /** One sentence. */
  description: string;
  /** The fields that it sets. */
  styles: ThemeStyles;
}

/** The color on light pages and the one on dark pages. */
type Colors = Partial<Record<ThemeColor, readonly [light: string, dark: string]>>;

function start(name: string, description: string, colors: Colors, styles: Record<string, string> = {}): ThemeStart {
  const both = Object.entries(colors).flatMap(([color, [light, dark]]) => [
    [LIGHT + color, light],
    [DARK + color, dark],
  ]);
  const others = Object.entries(styles).map(([style, value]) => [`style_${style}`, value]);
  return {
    id: name.toLowerCase().replaceAll(' ', '_'),
    name,
    description,
    styles: Object.fromEntries([...both, ...others]),
  };
}

export const themeStarts: readonly ThemeStart[] = [
  start('As the page', 'Sets nothing: your page decides, or else the look of Usher.', {}),
  start(
    'Calm',
    'Warm paper, green buttons and soft corners.',
    {
      background: ['fbf8f1', '24221d'],
      text: ['2f2b24', 'f2eee4'],
      border: ['e2dbcb', '4a463d'],
      button_highlight: ['1f5f4a', '8fd4b8'],
      button_text: ['ffffff', '0f2a20'],
      checkmark: ['1f5f4a', '8fd4b8'],
    },
    { radius: '16', button_radius: '20', spacing: '24', shadow: 'small', scale: 'accent', motion: 'fade' },
  ),
  start(
    'Bold',
    'Violet, large titles and a wide shadow.',
    {
      background: ['ffffff', '1c1530'],
      text: ['241b3a', 'f3effc'],
      button_highlight: ['6b21c8', 'c4a1ff'],
      button_text: ['ffffff', '241040'],
      highlight: ['d97706', 'fbbf24'],
      shroud: ['1c0f33', '0b0616'],
    },
    {
      title_font_size: '20',
      title_font_weight: '800',
      radius: '14',
      shadow: 'large',
      scale: 'accent',
      highlight_width: '3',
    },
  ),
  start(
    'Sharp',
    'Square corners, thin lines and no shadow.',
    {
      background: ['ffffff', '101214'],
      text: ['111111', 'f5f5f5'],
      border: ['9a9fa8', '6a6f78'],
      button_highlight: ['111111', 'f5f5f5'],
      button_text: ['ffffff', '111111'],
      link: ['0b57d0', '8ab4f8'],
    },
    { radius: '0', button_radius: '0', shadow: 'none', scale: 'plain', progress: 'bar', motion: 'none' },
  ),
  start(
    'Night',
    'Dark boxes, also on light pages.',
    {
      background: ['1b1f2a', '0e1118'],
      text: ['f1f3f8', 'f1f3f8'],
      border: ['3a4152', '2b3140'],
      button_highlight: ['8fb8ff', '8fb8ff'],
      button_text: ['0b1a33', '0b1a33'],
      checkmark: ['5fd6a1', '5fd6a1'],
    },
    { radius: '8', scale: 'accent', progress: 'text' },
  ),
  start(
    'High contrast',
    'Black and white, larger texts and thick borders.',
    {
      background: ['ffffff', '000000'],
      text: ['000000', 'ffffff'],
      border: ['000000', 'ffffff'],
      link: ['0000b3', 'ffff00'],
      button_highlight: ['000000', 'ffff00'],
      button_text: ['ffffff', '000000'],
      highlight: ['b3006b', 'ffff00'],
      checkmark: ['00540f', '7dff8a'],
    },
    { font_size: '16', title_font_size: '18', border_width: '2', highlight_width: '4', scale: 'plain', motion: 'none' },
  ),
];
