/**
 * The value that this share of all values does not exceed.
 * @param {readonly number[]} values
 * @param {number} share from 0 to 1
 */
export function percentile(values, share) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** @param {readonly number[]} values */
export function median(values) {
  return percentile(values, 0.5);
}
