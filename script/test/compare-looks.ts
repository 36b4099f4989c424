import type { Locator, Page } from 'playwright-core';

/* How an element looks, to compare one of the page with one that is painted with a theme. */

/** Returns the most frequent color of a picture. */
export async function colorOf(page: Page, locator: Locator): Promise<number[]> {
  const png = (await locator.screenshot({ animations: 'disabled' })).toString('base64');
  // A strict policy of the page would not load the picture.
  const blank = await page.context().newPage();
  const color = await blank.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    context.drawImage(image, 0, 0);
    const pixels = context.getImageData(0, 0, image.width, image.height).data;
    const counts = new Map<string, number>();
    for (let at = 0; at < pixels.length; at += 4) {
      const key = `${pixels[at]},${pixels[at + 1]},${pixels[at + 2]}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '';
  }, png);
  await blank.close();
  return color.split(',').map(Number);
}

/** Returns a color in CIE Lab, in which the distance of two colors is ΔE. */
function toLab(color: readonly number[]): number[] {
  const [r = 0, g = 0, b = 0] = color.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const toF = (value: number) => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116);
  const x = toF((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
  const y = toF(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = toF((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

export function deltaE(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [toLab(one), toLab(other)];
  return Math.hypot(...a.map((value, at) => value - (b[at] ?? 0)));
}

export const radiusOf = (locator: Locator): Promise<number> =>
  locator.evaluate((element) => Number.parseFloat(getComputedStyle(element).borderTopLeftRadius));

/** Returns the radius of the corners as it is painted: half of the height at most. */
export const paintedRadiusOf = async (locator: Locator): Promise<number> =>
  Math.min(await radiusOf(locator), ((await locator.boundingBox())?.height ?? 0) / 2);
