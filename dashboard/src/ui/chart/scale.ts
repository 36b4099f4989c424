/** The largest value of an axis that begins with 0, and the values that are labeled. All of them are whole numbers. */
export function scaleOf(largest: number, maxTicks = 4): { max: number; ticks: number[] } {
  const step = stepOf(Math.max(largest, 1) / maxTicks);
  const max = Math.ceil(Math.max(largest, 1) / step) * step;
  const ticks: number[] = [];
  for (let value = 0; value <= max; value += step) ticks.push(value);
  return { max, ticks };
}

/** The next number of the series 1, 2, 5, 10, 20, 50… */
function stepOf(atLeast: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(atLeast, 1)));
  const factor = [1, 2, 5, 10].find((one) => one * power >= atLeast) ?? 10;
  return factor * power;
}

/** Chooses which columns have a label, so that labels of this width do not touch. The last column always has one. */
export function labeledColumns(count: number, width: number, labelWidth: number): Set<number> {
  const each = Math.max(1, Math.ceil((count * labelWidth) / Math.max(width, 1)));
  const shown = new Set<number>();
  for (let at = count - 1; at >= 0; at -= each) shown.add(at);
  return shown;
}
