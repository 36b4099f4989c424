import { formatCompact, formatNumber } from '../messages/format.ts';

/** A number in a narrow place: short if it is large, with the whole number on hover and for screen readers. */
export function CompactNumber({ value }: { value: number }) {
  const [short, whole] = [formatCompact(value), formatNumber(value)];
  if (short === whole) return whole;
  return (
    <span title={whole} className="whitespace-nowrap">
      <span aria-hidden>{short}</span>
      <span className="sr-only">{whole}</span>
    </span>
  );
}
