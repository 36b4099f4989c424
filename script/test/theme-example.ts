import type { ThemeField } from '../../domain/src/themes/theme-fields.ts';

/** Returns what a field is tried with: a value that nothing has without a theme. */
export function exampleOf(name: string, { type, words, initial }: ThemeField): string {
  if (type === 'color') return 'c0ffee';
  if (type === 'font') return 'monospace';
  if (type === 'word')
    return (
      Object.keys(words ?? {}).find((word) => word !== initial && (name !== 'style_motion' || word === 'none')) ?? ''
    );
  if (type === 'line_height') return '2.2';
  if (type === 'percent') return '33';
  if (type === 'weight') return '300';
  if (name === 'style_width') return '300';
  return name.endsWith('radius') ? '30' : '9';
}
