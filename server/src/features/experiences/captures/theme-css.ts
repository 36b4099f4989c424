import type { CaptureTheme } from '@usher/domain';
import { Markup } from './markup.ts';

/** The name of a color in a theme, and what it is in a drawing. */
export type ThemedRule = readonly [color: Parameters<CaptureTheme['color']>[0], write: (value: string) => string];

/** The rules with the colors of a theme, for light and for dark windows. All values were read as those of their field. */
export function colorRules({ color }: CaptureTheme, rules: readonly ThemedRule[]): string {
  const write = (scheme: 'light' | 'dark') =>
    rules
      .flatMap(([name, write]) => {
        const value = color(name, scheme);
        return value === undefined ? [] : [write(value)];
      })
      .join('');
  const [light, dark] = [write('light'), write('dark')];
  return light === '' ? '' : `${light}@media (prefers-color-scheme: dark){${dark}}`;
}

export const asStyle = (...rules: string[]): Markup => new Markup(rules.join(''));
