import { scaleOf } from './scale.ts';
import type { Series } from './series.tsx';

export const HEIGHT = 220;
const TOP = 12;
const BOTTOM = 24;
const CHARACTER = 7;

/** Where everything of a chart is, in pixels. */
export interface Plot {
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** The width of a day. */
  column: number;
  ticks: readonly number[];
  x: (day: number) => number;
  y: (value: number) => number;
}

export function plotOf(
  series: readonly Series[],
  count: number,
  width: number,
  format: (value: number) => string,
): Plot {
  const { max, ticks } = scaleOf(Math.max(0, ...series.flatMap(({ values }) => values)));
  const left = Math.max(...ticks.map((tick) => format(tick).length)) * CHARACTER + 10;
  const [right, top, bottom] = [width - 4, TOP, HEIGHT - BOTTOM];
  const column = (right - left) / Math.max(count, 1);
  return {
    ...{ left, right, top, bottom, column, ticks },
    x: (day) => left + (day + 0.5) * column,
    y: (value) => bottom - (value / max) * (bottom - top),
  };
}

/** The line through the points from one day to another. */
export function lineThrough({ x, y }: Plot, values: readonly number[], from: number, until: number): string {
  return values
    .slice(from, until + 1)
    .map((value, index) => `${index === 0 ? 'M' : 'L'}${x(from + index).toFixed(1)},${y(value).toFixed(1)}`)
    .join('');
}
