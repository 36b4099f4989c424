/**
 * Returns a function that turns computed colors into `#rrggbb` or `#rrggbbaa`; undefined for a color that cannot be
 * seen.
 */
export function createToHex(): (color: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  return (color) => {
    if (!known.has(color)) known.set(color, toHex(color));
    return known.get(color);
  };
}

function toHex(color: string): string | undefined {
  const [red = 0, green = 0, blue = 0, alpha = 1] = /^rgba?\(/.test(color)
    ? (color.match(/[\d.]+/g) ?? []).map(Number)
    : readPixel(color);
  if (alpha === 0) return undefined;
  const parts = [red, green, blue, ...(alpha < 1 ? [alpha * 255] : [])];
  return `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** Newer notations, such as `oklch(…)`, become the color that the browser paints for them. */
function readPixel(color: string): number[] {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d');
  if (!context) return [0, 0, 0, 0];
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha / 255];
}
