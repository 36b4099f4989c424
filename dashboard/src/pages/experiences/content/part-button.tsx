import { TriangleAlert } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import * as text from '../../../messages/text.ts';
import { cx } from '../../../ui/cx.ts';

const texts = text.content;

interface PartButtonProps {
  id?: string;
  place?: number;
  label: string;
  hint?: string;
  isSelected: boolean;
  hasProblem?: boolean;
  isFailing?: boolean;
  onSelect: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  picture?: ReactNode;
}

/** Selects a step or an item. */
export function PartButton({
  id,
  place,
  label,
  hint,
  isSelected,
  hasProblem = false,
  isFailing = false,
  onSelect,
  onKeyDown,
  picture,
}: PartButtonProps) {
  return (
    <button
      type="button"
      data-part={id}
      aria-current={isSelected ? 'true' : undefined}
      onClick={onSelect}
      onKeyDown={onKeyDown}
      className={cx(
        'flex max-w-48 min-w-0 flex-1 flex-col gap-1 rounded-6 border px-2 py-1.5 text-left text-13 md:max-w-none',
        isSelected ? 'border-accent bg-accent-tint' : 'border-line bg-surface hover:bg-hover',
      )}
    >
      {picture}
      <span className="flex w-full min-w-0 items-center gap-1.5">
        {place !== undefined && <span className="shrink-0 text-12 text-soft tabular-nums">{place}</span>}
        <span className={cx('truncate', label === texts.untitled && 'text-soft')}>{label}</span>
        {isFailing && (
          <span className="ml-auto shrink-0 text-warn" title={text.failingSteps.ofPart}>
            <TriangleAlert size={14} aria-hidden />
            <span className="sr-only">{text.failingSteps.ofPart}</span>
          </span>
        )}
        {hasProblem && (
          <span className="ml-auto size-2 shrink-0 rounded-full bg-bad">
            <span className="sr-only">{texts.hasProblem}</span>
          </span>
        )}
      </span>
      {hint !== undefined && <span className="hidden text-12 text-soft md:block">{hint}</span>}
    </button>
  );
}
