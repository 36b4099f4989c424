/** Returns the color scheme of the page: the one that it declares, else the one of its background. */
export function findScheme(): string {
  const { colorScheme } = getComputedStyle(document.documentElement);
  const [hasLight, hasDark] = ['light', 'dark'].map((name) => colorScheme.includes(name));
  if (hasLight !== hasDark) return hasDark ? 'dark' : 'light';
  for (const element of [document.body ?? document.documentElement, document.documentElement]) {
    const lightness = lightnessOf(getComputedStyle(element).backgroundColor);
    if (lightness !== undefined) return lightness < 0.5 ? 'dark' : 'light';
  }
  // Without a background, the page has the one of the browser.
  return hasDark ? 'light dark' : 'light';
}

/** Returns the lightness of a computed color, from 0 to 1, or undefined if the color is transparent. */
function lightnessOf(color: string): number | undefined {
  const [first = 0, second = 0, third = 0, alpha = 1] = (color.match(/[( ][\d.]+/g) ?? []).map(
    (text) => +text.slice(1),
  );
  if (alpha < 0.5) return undefined;
  if (/^(ok)?l/.test(color)) return color[0] === 'l' ? first / 100 : first;
  return (first * 0.3 + second * 0.6 + third * 0.1) / (color[0] === 'r' ? 255 : 1);
}
