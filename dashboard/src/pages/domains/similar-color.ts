import type { Environment } from '../../app/environment.ts';

/** Colors that are nearer than this are hard to tell apart in a small badge. */
const MIN_DISTANCE = 60;

export function isHexColor(color: string): boolean {
  return /^[\dA-F]{6}$/i.test(color);
}

/** Finds another Environment with nearly the same color. */
export function findSimilarColor<One extends Pick<Environment, 'name' | 'style_short_name_color'>>(
  color: string,
  others: readonly One[],
): One | undefined {
  return others.find(({ style_short_name_color: other }) => other !== null && distance(color, other) < MIN_DISTANCE);
}

/** The "red mean" distance: a good estimate of how different two colors look, with little code. */
function distance(first: string, second: string): number {
  const [a, b] = [parts(first), parts(second)];
  const mean = (a.red + b.red) / 2;
  const [red, green, blue] = [a.red - b.red, a.green - b.green, a.blue - b.blue];
  return Math.sqrt((2 + mean / 256) * red ** 2 + 4 * green ** 2 + (2 + (255 - mean) / 256) * blue ** 2);
}

function parts(color: string) {
  const value = Number.parseInt(color, 16);
  return { red: value >> 16, green: (value >> 8) & 255, blue: value & 255 };
}
