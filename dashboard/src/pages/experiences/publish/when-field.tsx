import * as text from '../../../messages/text.ts';
import { RadioGroup } from '../../../ui/choice.tsx';
import { TextField } from '../../../ui/text-field.tsx';

const texts = text.publish;

/** Now, or at a time in the reader's time zone in the format of the field: `2026-11-20T09:00`. */
export type When = { is: 'now' } | { is: 'later'; typed: string };

export function timeOf(when: When): Date | undefined {
  if (when.is === 'now') return undefined;
  const time = new Date(when.typed);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** What is wrong with the chosen time, or undefined. */
export function whenProblem(when: When, now = Date.now()): string | undefined {
  if (when.is === 'now') return undefined;
  const time = timeOf(when);
  if (!time) return texts.timeMissing;
  return time.getTime() <= now ? texts.timePast : undefined;
}

/** Chooses when the Experience goes live. The name of the time zone is beside the time. */
export function WhenField({ when, onChange, error }: { when: When; onChange: (when: When) => void; error?: string }) {
  return (
    <div className="flex flex-col gap-2">
      <RadioGroup
        label={texts.when}
        options={[
          { value: 'now', label: texts.now },
          { value: 'later', label: texts.later },
        ]}
        value={when.is}
        onChange={(is) => onChange(is === 'now' ? { is } : { is, typed: tomorrowAtNine() })}
      />
      {when.is === 'later' && (
        <TextField
          label={texts.time}
          type="datetime-local"
          value={when.typed}
          onChange={(typed) => onChange({ is: 'later', typed })}
          help={zoneName(timeOf(when))}
          error={error}
          className="w-96 max-w-full pl-6"
        />
      )}
    </div>
  );
}

/** A time in the format of the field, in the reader's time zone. */
function tomorrowAtNine(): string {
  const day = new Date();
  day.setDate(day.getDate() + 1);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}T09:00`;
}

/** The name of the time zone, which differs between summer and winter. */
function zoneName(time = new Date()): string {
  const format = new Intl.DateTimeFormat(undefined, { timeZoneName: 'long' });
  const name = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return texts.zone(name, format.resolvedOptions().timeZone);
}
