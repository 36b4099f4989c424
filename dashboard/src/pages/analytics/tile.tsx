import { ArrowDownRight, ArrowUpRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { CompactNumber } from '../../ui/compact-number.tsx';

const texts = text.analytics.overview;

interface TileProps {
  label: string;
  value: number;
  /** Beside the number, such as a share. */
  note?: string | undefined;
  children?: ReactNode;
}

/** One number with its name. */
export function Tile({ label, value, note, children }: TileProps) {
  return (
    <li className="flex min-w-0 flex-col gap-1 rounded-10 border border-line bg-surface px-4 py-3">
      <span className="text-13 text-soft">{label}</span>
      <span className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-28 font-semibold tracking-tight tabular-nums">
          <CompactNumber value={value} />
        </span>
        {note !== undefined && <span className="text-14 text-soft tabular-nums">{note}</span>}
      </span>
      {children}
    </li>
  );
}

const MIN_FOR_SHARE = 20;

/** How much more or less than in the period before. A share of a few people would say nothing, so it is a number then. */
export function Difference({ now, before }: { now: number; before: number }) {
  const more = now - before;
  const Icon = more < 0 ? ArrowDownRight : ArrowUpRight;
  const said =
    before >= MIN_FOR_SHARE
      ? formatNumber(more / before, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' })
      : formatNumber(more, { signDisplay: 'exceptZero' });
  return (
    <span className="flex items-center gap-1 text-12 text-soft">
      {more !== 0 && <Icon size={14} aria-hidden />}
      <span className="tabular-nums">{more === 0 ? texts.same : texts.difference(said)}</span>
    </span>
  );
}
