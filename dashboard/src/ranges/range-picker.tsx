import { CalendarDays } from 'lucide-react';
import { useState } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { formatNumber } from '../messages/format.ts';
import * as text from '../messages/text.ts';
import { Button } from '../ui/button.tsx';
import { formatShortDay } from '../ui/chart/format-day.ts';
import { Popover } from '../ui/popover.tsx';
import { TextField } from '../ui/text-field.tsx';
import { presets, problemWith, type Range } from './use-range.ts';

const texts = text.results.range;

interface RangePickerProps {
  range: Range;
  today: string;
  timeZone: string;
  onDays: (days: number) => void;
  onOwn: (from: string, until: string) => void;
}

/** Chooses the last 7, 30 or 90 days, or a custom range. */
export function RangePicker({ range, today, timeZone, onDays, onOwn }: RangePickerProps) {
  const own = range.days === undefined;
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:contents">
      <ToggleButtonGroup
        aria-label={texts.label}
        selectionMode="single"
        selectedKeys={own ? [] : [String(range.days)]}
        onSelectionChange={([days]) => days !== undefined && onDays(Number(days))}
        className="flex rounded-6 border border-edge/60 bg-surface p-px"
      >
        {presets.map((days) => (
          <ToggleButton
            key={days}
            id={String(days)}
            className="h-7.5 rounded-4 px-3 text-14 font-medium text-soft transition-colors data-hovered:bg-hover data-selected:bg-accent-tint data-selected:text-accent forced-colors:data-selected:outline"
          >
            {texts.last(formatNumber(days))}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <Popover
        label={texts.own}
        placement="bottom end"
        trigger={
          <Button icon={CalendarDays} className={own ? 'border-accent text-accent' : ''}>
            {own ? `${formatShortDay(range.from)} – ${formatShortDay(range.until)}` : texts.own}
          </Button>
        }
      >
        {({ close }) => (
          <OwnRange
            range={range}
            today={today}
            timeZone={timeZone}
            onApply={(from, until) => {
              onOwn(from, until);
              close();
            }}
          />
        )}
      </Popover>
    </div>
  );
}

interface OwnRangeProps {
  range: Range;
  today: string;
  timeZone: string;
  onApply: (from: string, until: string) => void;
}

function OwnRange({ range, today, timeZone, onApply }: OwnRangeProps) {
  const [from, setFrom] = useState(range.from);
  const [until, setUntil] = useState(range.until);
  const [isTried, setTried] = useState(false);
  const problem = problemWith(from, until, today);
  return (
    <form
      className="flex w-64 flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (!problem) onApply(from, until);
      }}
    >
      <TextField label={texts.from} type="date" value={from} onChange={setFrom} autoFocus />
      <TextField
        label={texts.until}
        type="date"
        value={until}
        onChange={setUntil}
        help={texts.zone(timeZone)}
        {...(isTried && problem && { error: texts[problem] })}
      />
      <Button type="submit" look="primary">
        {texts.apply}
      </Button>
    </form>
  );
}
