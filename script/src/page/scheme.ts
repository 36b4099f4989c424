/** Returns the color scheme of the page: the one that it declares, else the one of its background. */
export function findScheme({ colorScheme, backgroundColor }: CSSStyleDeclaration, body: CSSStyleDeclaration): string {
  const [scheme, other] = colorScheme.match(/light|dark/g) ?? [];
  if (scheme && !other) return scheme;
  // An alpha of 0 comes as the fourth value, or after a slash.
  const color = [body.backgroundColor, backgroundColor].find((text) => !/(^rgba|\/).* 0\)$/.test(text));
  // A page without a background has the one of the browser.
  return color ? (isDark(color) ? 'dark' : 'light') : other ? 'light dark' : 'light';
}

/** A color is `rgb(0, 0, 0)`, `color(srgb 0 0 0)`, or begins with its lightness: `lab(0 0 0)`, `oklch(0 0 0)`. */
function isDark(color: string): boolean {
  const [name = '', first, second] = color.split(/[(, ]+/);
  const max = { r: 255, l: 100 }[name[0] ?? ''] ?? 1;
  return Number(/^(ok)?l/.test(name) ? first : second) < max / 2;
}
