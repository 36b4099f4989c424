import { useState } from 'react';
import { useSession } from '../../../api/session.ts';
import type { ExperienceTabProps } from '../../../editor/experience-tab-props.ts';
import { fieldMark } from '../../../fields/field-focus.ts';
import { fieldsOf } from '../../../fields/fields-of.ts';
import { formatDateTime } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { describeZone, fromLocalTime, toLocalTime } from '../../../ui/local-time.ts';
import { TextField } from '../../../ui/text-field.tsx';

const texts = text.targeting.schedule;

/** When the Experience starts, which publishing decides, and when it ends, in the reader's time zone. */
export function ScheduleFields({ experience, editor }: ExperienceTabProps) {
  const { published_at: start, published_until: end } = editor.document;
  const fields = fieldsOf(editor, '', editor.document);
  const { can } = useSession();
  const mayChange = start === null || can('publish');
  const set = (published_until: string | null) => fields.set({ published_until });
  return (
    <>
      <dl className="flex flex-col gap-0.5" {...fieldMark('', 'published_at')}>
        <dt className="text-13 font-medium">{texts.start}</dt>
        <dd>{start === null ? texts.notPublished : formatDateTime(new Date(start))}</dd>
      </dl>
      <div className="flex items-end gap-2" {...fieldMark('', 'published_until')}>
        <EndField
          key={end}
          start={start}
          end={end}
          onChange={set}
          isReadOnly={editor.isReadOnly || !mayChange}
          error={fields.choice('published_until').error}
        />
      </div>
      {end !== null && !editor.isReadOnly && mayChange && (
        <Button size="small" look="quiet" className="self-start" onPress={() => set(null)}>
          {texts.remove}
        </Button>
      )}
      <p className="text-13 text-soft">
        {end === null && `${texts.never} `}
        {texts.zone(describeZone())}
        {mayChange ? hintOf(experience.state) : ` ${texts.mayNot}`}
      </p>
    </>
  );
}

function hintOf(state: string): string {
  if (state === 'ended') return ` ${texts.again}`;
  return state === 'live' || state === 'scheduled' ? ` ${texts.immediately}` : '';
}

interface EndFieldProps {
  start: string | null;
  end: string | null;
  onChange: (end: string) => void;
  isReadOnly: boolean;
  error: string | undefined;
}

/**
 * The end of a live Experience takes effect when it is saved, so an incomplete date must not count: the value is used
 * when the field is left.
 */
function EndField({ start, end, onChange, isReadOnly, error }: EndFieldProps) {
  const before = end === null ? '' : toLocalTime(end);
  const [typed, setTyped] = useState(before);
  const [problem, setProblem] = useState<string>();
  const take = () => {
    const time = fromLocalTime(typed);
    if (typed === before || time === undefined) return;
    const isPast = Date.parse(time) <= Date.now();
    const isBeforeStart = start !== null && time <= start;
    setProblem(isPast ? texts.past : isBeforeStart ? texts.beforeStart : undefined);
    if (!isPast && !isBeforeStart) onChange(time);
  };
  return (
    <TextField
      label={texts.ends}
      type="datetime-local"
      value={typed}
      onChange={setTyped}
      onBlur={take}
      onKeyDown={(event) => event.key === 'Enter' && take()}
      isReadOnly={isReadOnly}
      error={problem ?? error}
      className="w-60 max-w-full"
    />
  );
}
