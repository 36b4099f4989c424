import { useQuery } from '@tanstack/react-query';
import { isInGroup } from '@usher/domain';
import { query } from '../../../api/queries.ts';
import type { ExperienceTabProps } from '../../../editor/experience-tab-props.ts';
import { fieldMark } from '../../../fields/field-focus.ts';
import { fieldsOf } from '../../../fields/fields-of.ts';
import { formatNumber } from '../../../messages/format.ts';
import { describePeriod, periodOf } from '../../../messages/period.ts';
import * as text from '../../../messages/text.ts';
import { Checkbox, RadioGroup } from '../../../ui/choice.tsx';
import { Link } from '../../../ui/link.tsx';
import { NumberField } from '../../../ui/number-field.tsx';

const texts = text.targeting;
const MAX_DAYS = 3650;
const FIRST_DAYS = 30;

/** Whether the Experience starts automatically. */
export function StartField({ editor }: Pick<ExperienceTabProps, 'editor'>) {
  const fields = fieldsOf(editor, '', editor.document);
  return (
    <div {...fieldMark('', 'style')}>
      <RadioGroup
        label={texts.starts.label}
        options={[
          { value: 'auto', label: texts.starts.auto, help: texts.starts.autoHelp },
          { value: 'manual', label: texts.starts.manual, help: texts.starts.manualHelp },
        ]}
        value={editor.document.style === 'manual' ? 'manual' : 'auto'}
        onChange={(style) => fields.set({ style })}
        isDisabled={editor.isReadOnly}
      />
    </div>
  );
}

/** Whether the Experience shows to people who have not consented yet. */
export function ConsentField({ editor }: Pick<ExperienceTabProps, 'editor'>) {
  const fields = fieldsOf(editor, '', editor.document);
  return (
    <div {...fieldMark('', 'without_consent')}>
      <Checkbox
        label={texts.consent.label}
        help={texts.consent.help}
        isSelected={editor.document.without_consent ?? false}
        onChange={(without_consent) => fields.set({ without_consent })}
        isDisabled={editor.isReadOnly}
      />
    </div>
  );
}

/** Whether people see the Experience again after they have finished or closed it. */
export function RepeatFields({ editor }: Pick<ExperienceTabProps, 'editor'>) {
  const fields = fieldsOf(editor, '', editor.document);
  const days = editor.document.repeat_days;
  return (
    <div className="flex flex-col gap-3" {...fieldMark('', 'repeat_days')}>
      <RadioGroup
        label={texts.repeat.label}
        options={[
          { value: 'once', label: texts.repeat.once },
          { value: 'again', label: texts.repeat.again },
        ]}
        value={days === null ? 'once' : 'again'}
        onChange={(choice) => fields.set({ repeat_days: choice === 'once' ? null : FIRST_DAYS })}
        isDisabled={editor.isReadOnly}
      />
      {days !== null && (
        <NumberField
          label={texts.repeat.days}
          value={days}
          onChange={(repeat_days) => fields.set({ repeat_days })}
          max={MAX_DAYS}
          problem={texts.repeat.problem}
          isReadOnly={editor.isReadOnly}
          className="w-60 max-w-full"
        />
      )}
    </div>
  );
}

const FIRST_RESPONSES = 100;
const MAX_RESPONSES = 1_000_000;

/** After how many Responses a survey ends. */
export function StopFields({ editor }: Pick<ExperienceTabProps, 'editor'>) {
  const { stop } = texts;
  return (
    <div className="flex flex-col gap-3">
      <StopField
        editor={editor}
        name="stop_after_responses"
        label={stop.total}
        help={stop.totalHelp}
        number={stop.number}
      />
      <StopField
        editor={editor}
        name="stop_after_responses_per_segment"
        label={stop.perSegment}
        help={editor.document.segment_ids.length === 0 ? stop.perSegmentNone : stop.perSegmentHelp}
        number={stop.numberPerSegment}
      />
    </div>
  );
}

interface StopFieldProps extends Pick<ExperienceTabProps, 'editor'> {
  name: 'stop_after_responses' | 'stop_after_responses_per_segment';
  label: string;
  help: string;
  number: string;
}

function StopField({ editor, name, label, help, number }: StopFieldProps) {
  const fields = fieldsOf(editor, '', editor.document);
  const value = editor.document[name] ?? null;
  return (
    <div className="flex flex-col gap-2" {...fieldMark('', name)}>
      <Checkbox
        label={label}
        help={help}
        isSelected={value !== null}
        onChange={(isOn) => fields.set({ [name]: isOn ? FIRST_RESPONSES : null })}
        isDisabled={editor.isReadOnly}
      />
      {value !== null && (
        <NumberField
          label={number}
          value={value}
          onChange={(count) => fields.set({ [name]: Math.round(count) })}
          min={1}
          max={MAX_RESPONSES}
          problem={texts.stop.problem}
          isReadOnly={editor.isReadOnly}
          className="w-60 max-w-full"
        />
      )}
    </div>
  );
}

/** The limits that apply to the Experience, and whether it ignores them. */
export function LimitFields({ experience, editor }: ExperienceTabProps) {
  const { data } = useQuery(query('GET /v3/edit/limit_groups', { limit: 500 }));
  const fields = fieldsOf(editor, '', editor.document);
  const ignored = editor.document.rate_unlimit_at;
  const { kind, tag_ids } = editor.document;
  const published = {
    kindOf: () => kind,
    hasTag: (_: string, ids: readonly string[]) => ids.some((id) => tag_ids.includes(id)),
  };
  const groups = (data?.limit_groups ?? []).filter((group) => isInGroup(group, experience.id, published));
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-3" {...fieldMark('', 'rate_unlimit_at')}>
      <h3 className="text-13 font-medium">{texts.limits.title}</h3>
      <ul className="flex flex-col gap-1 empty:hidden">
        {groups.map(({ id, name, max_count, period_hours }) => (
          <li key={id} className="wrap-anywhere">
            {texts.limits.applies(name, formatNumber(max_count), describePeriod(periodOf(period_hours)))}
          </li>
        ))}
      </ul>
      {data && groups.length === 0 && <p className="text-soft">{texts.limits.none}</p>}
      {(groups.length > 0 || ignored !== null) && (
        <Checkbox
          label={texts.limits.ignore}
          help={texts.limits.ignoreHelp}
          isSelected={ignored !== null}
          onChange={(isOn) => fields.set({ rate_unlimit_at: isOn ? new Date().toISOString() : null })}
          isDisabled={editor.isReadOnly}
        />
      )}
      <Link href="/app/settings/limits" className="self-start text-13">
        {texts.limits.manage}
      </Link>
    </div>
  );
}
