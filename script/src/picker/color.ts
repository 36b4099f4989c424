/** Red, green and blue from 0 to 255, and alpha from 0 to 1. */
export type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

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
  const [red, green, blue, alpha] = toRgba(color);
  if (alpha === 0) return undefined;
  return `#${toDigits([red, green, blue, ...(alpha < 1 ? [alpha * 255] : [])])}`;
}

export function toDigits(parts: readonly number[]): string {
  return parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('');
}

/** Reads a computed color. Newer notations, such as `oklch(…)`, become the color that the browser paints for them. */
export function toRgba(color: string): Rgba {
  const [red = 0, green = 0, blue = 0, alpha = 1] = /^rgba?\(/.test(color)
    ? (color.match(/[\d.]+/g) ?? []).map(Number)
    : readPixel(color);
  return [red, green, blue, alpha];
}

function readPixel(color: string): number[] {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d');
  if (!context) return [0, 0, 0, 0];
  // A color that the browser does not know leaves this one, which cannot be seen.
  context.fillStyle = '#0000';
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha / 255];
}
