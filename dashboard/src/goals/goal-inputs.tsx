import { type GoalFields, goalKinds, MAX_GOAL_DAYS } from '@usher/domain/fields';
import { FilterBuilder } from '../filters/filter-builder.tsx';
import { toAllOf, toFilterSetOf } from '../filters/filter-set.ts';
import { formatNumber, formatRelativeTime } from '../messages/format.ts';
import * as text from '../messages/text.ts';
import { Checkbox } from '../ui/choice.tsx';
import { ComboBox } from '../ui/combo-box.tsx';
import { NumberField } from '../ui/number-field.tsx';
import { Select } from '../ui/select.tsx';
import { TextField } from '../ui/text-field.tsx';
import { isOfNow } from './describe-goal.ts';
import { useGoalSubjects } from './use-goal-names.ts';

const texts = text.goals;
const states = ['displayed', 'started', 'completed', 'exited'] as const;
const DEFAULT_DAYS = 30;

interface GoalInputsProps {
  value: GoalFields;
  set: (changes: Partial<GoalFields>) => void;
  wrong: Partial<Record<string, string>>;
}

/** The fields of a goal, as its kind has them. */
export function GoalInputs({ value, set, wrong }: GoalInputsProps) {
  return (
    <>
      <TextField
        label={texts.fields.name}
        value={value.name}
        onChange={(name) => set({ name })}
        error={wrong.name}
        autoFocus
      />
      <Select
        label={texts.kindLabel}
        options={goalKinds.map((kind) => ({ value: kind, label: texts.kinds[kind] }))}
        value={value.kind}
        onChange={(kind) => set({ kind, filters: [] })}
      />
      <RuleInputs value={value} set={set} wrong={wrong} />
      {isOfNow(value) ? (
        <p className="text-13 text-soft">{texts.nowHelp}</p>
      ) : (
        <>
          <Checkbox
            label={texts.limit}
            help={texts.limitHelp}
            isSelected={value.within_days !== null}
            onChange={(on) => set({ within_days: on ? DEFAULT_DAYS : null })}
          />
          {value.within_days !== null && (
            <NumberField
              label={texts.fields.within_days}
              value={value.within_days}
              onChange={(within_days) => set({ within_days })}
              min={1}
              max={MAX_GOAL_DAYS}
              problem={texts.daysProblem(formatNumber(MAX_GOAL_DAYS))}
              className="w-40"
            />
          )}
        </>
      )}
    </>
  );
}

function RuleInputs({ value, set, wrong }: GoalInputsProps) {
  const { segments, experiences } = useGoalSubjects();
  const toOptions = (list: readonly { id: string; name: string }[]) =>
    list.map(({ id, name }) => ({ value: id, label: name }));
  switch (value.kind) {
    case 'event':
      return <EventInputs value={value} set={set} wrong={wrong} />;
    case 'segment':
      return (
        <ComboBox
          label={texts.fields.segment_id}
          options={toOptions(segments)}
          value={value.segment_id}
          onChange={(segment_id) => set({ segment_id })}
          error={wrong.segment_id}
        />
      );
    case 'property':
      return (
        <FilterBuilder
          value={toFilterSetOf(value.filters)}
          onChange={(filters) => set({ filters: toAllOf(filters) })}
          hasActivity={false}
        />
      );
    case 'experience':
      return (
        <>
          <ComboBox
            label={texts.fields.experience_id}
            options={toOptions(experiences)}
            value={value.experience_id}
            onChange={(experience_id) => set({ experience_id })}
            error={wrong.experience_id}
          />
          <Select
            label={texts.fields.experience_state}
            options={states.map((state) => ({ value: state, label: texts.states[state] }))}
            value={value.experience_state ?? 'completed'}
            onChange={(experience_state) => set({ experience_state })}
          />
        </>
      );
  }
}

/** A known event, or one that was not tracked yet; and what its properties must be. */
function EventInputs({ value, set, wrong }: GoalInputsProps) {
  const { events } = useGoalSubjects();
  // The server stores the key of an event, and people know its name.
  const shown = events.find(({ uid }) => uid === value.event_name)?.name ?? value.event_name ?? '';
  return (
    <>
      <ComboBox
        label={texts.fields.event_name}
        help={texts.eventHelp}
        placeholder={text.targeting.goal.placeholder}
        options={events.map(({ name, last_seen_at: at }) => ({
          value: name,
          label: name,
          ...(at && { description: text.targeting.goal.seen(formatRelativeTime(new Date(at), Date.now())) }),
        }))}
        value={null}
        onChange={(name) => name !== null && set({ event_name: name })}
        inputValue={shown}
        onInputChange={(typed) => typed !== shown && set({ event_name: typed })}
        allowsCustomValue
        isQuiet
        error={wrong.event_name}
      />
      <FilterBuilder
        isEvent
        value={toFilterSetOf(value.filters)}
        onChange={(filters) => set({ filters: toAllOf(filters) })}
      />
      <TextField
        label={texts.fields.sum_property}
        help={texts.sumHelp}
        placeholder={texts.sumPlaceholder}
        value={value.sum_property ?? ''}
        onChange={(typed) => set({ sum_property: typed === '' ? null : typed })}
        error={wrong.sum_property}
        isOptional
      />
    </>
  );
}
