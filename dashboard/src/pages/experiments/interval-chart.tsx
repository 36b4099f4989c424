import * as text from '../../messages/text.ts';

const texts = text.experiments;
const ROW = 40;
const WIDTH = 640;
const EDGE = 12;

interface Interval {
  name: string;
  value: number;
  low: number;
  high: number;
  message: string;
}

interface IntervalChartProps {
  label: string;
  intervals: readonly Interval[];
  format: (value: number) => string;
}

/** The interval of each difference as a line, with no difference as the vertical line. The table beside it says the same to screen readers. */
export function IntervalChart({ label, intervals, format }: IntervalChartProps) {
  if (intervals.length === 0) return null;
  const reach = Math.max(...intervals.flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)])) * 1.1 || 1;
  const x = (value: number) => EDGE + ((value + reach) / (2 * reach)) * (WIDTH - 2 * EDGE);
  const height = intervals.length * ROW + 20;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={label} className="w-full max-w-160 text-12">
      <line x1={x(0)} x2={x(0)} y1={0} y2={height - 18} className="stroke-edge" strokeDasharray="3 3" />
      <text x={x(0)} y={height - 4} textAnchor="middle" className="fill-soft">
        {texts.zero}
      </text>
      {intervals.map(({ name, value, low, high, message }, at) => {
        const y = at * ROW + 26;
        const isSure = low > 0 || high < 0;
        const color = isSure ? (low > 0 ? 'stroke-good fill-good' : 'stroke-bad fill-bad') : 'stroke-soft fill-soft';
        return (
          <g key={name}>
            <title>{`${name}: ${message}`}</title>
            <text x={Math.min(x(low), WIDTH - 200)} y={y - 10} className="fill-ink">
              {`${name}: ${format(low)} … ${format(high)}`}
            </text>
            <g className={color} strokeWidth={2}>
              <line x1={x(low)} x2={x(high)} y1={y} y2={y} />
              <line x1={x(low)} x2={x(low)} y1={y - 5} y2={y + 5} />
              <line x1={x(high)} x2={x(high)} y1={y - 5} y2={y + 5} />
              <circle cx={x(value)} cy={y} r={4} />
            </g>
          </g>
        );
      })}
    </svg>
  );
}
