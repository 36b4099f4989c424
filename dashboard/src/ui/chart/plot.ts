import { scaleOf } from './scale.ts';
import type { Series } from './series.tsx';

export const HEIGHT = 220;
const TOP = 12;
const BOTTOM = 24;
const RIGHT = 4;
const CHARACTER = 7;

/** The positions of everything in a chart, in pixels. */
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
  series: readonly Pick<Series, 'values'>[],
  count: number,
  width: number,
  format: (value: number) => string,
  lastLabelWidth = 0,
  roomAbove = 0,
): Plot {
  const { max, ticks } = scaleOf(Math.max(0, ...series.flatMap(({ values }) => values)));
  const left = Math.max(...ticks.map((tick) => format(tick).length)) * CHARACTER + 10;
  // The label of the last day is centered below its column, so it may need more room than half of the column.
  const days = Math.max(count, 1);
  const room = Math.max(RIGHT, (lastLabelWidth * days - (width - left)) / (2 * days - 1));
  const [right, top, bottom] = [width - room, TOP + roomAbove, HEIGHT - BOTTOM];
  const column = (right - left) / days;
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
