import { ageOps, type ComparisonOp, comparisons, interactionStates } from '@usher/domain';
import * as text from '../messages/text.ts';
import { Select } from '../ui/select.tsx';
import type { EventRow, SegmentRow, SurveyRow, TourRow } from './rows.ts';
import { DaysField, hiddenLabel, NumberInput } from './value-fields.tsx';

const texts = text.filters;
const ANY = 'any';
const DEFAULT_DAYS = 7;

type ActivityRow = EventRow | TourRow | SurveyRow | SegmentRow;

interface FieldsProps<Row> {
  row: Row;
  /** The name of the event, the Experience or the Segment. */
  subject: string;
  onChange: (changes: Partial<Row>) => void;
  isDisabled: boolean;
}

interface PresenceFieldProps extends Omit<FieldsProps<ActivityRow>, 'onChange'> {
  onChange: (changes: Pick<ActivityRow, 'op'>) => void;
  words: { ex: string; nx: string };
}

/** Chooses whether the activity happened or did not happen. */
function PresenceField({ row, subject, onChange, isDisabled, words }: PresenceFieldProps) {
  return (
    <Select
      label={texts.presence(subject)}
      options={(['ex', 'nx'] as const).map((value) => ({ value, label: words[value] }))}
      value={row.op}
      onChange={(op) => onChange({ op })}
      isDisabled={isDisabled}
      className={`w-36 ${hiddenLabel}`}
    />
  );
}

export function EventFields({ row, subject, onChange, isDisabled }: FieldsProps<EventRow>) {
  return (
    <>
      <PresenceField row={row} subject={subject} words={texts.did} isDisabled={isDisabled} onChange={onChange} />
      <CompareFields
        row={row}
        label={texts.count(subject)}
        numberLabel={texts.countNumber(subject)}
        any={texts.anyCount}
        words={texts.countWords}
        unit={texts.timesUnit}
        onChange={onChange}
        isDisabled={isDisabled}
      />
      <AgeFields row={row} subject={subject} onChange={onChange} isDisabled={isDisabled} />
    </>
  );
}

export function TourFields({ row, subject, onChange, isDisabled }: FieldsProps<TourRow>) {
  return (
    <>
      <PresenceField
        row={row}
        subject={subject}
        words={texts.tourPresence}
        isDisabled={isDisabled}
        onChange={onChange}
      />
      <Select
        label={texts.state(subject)}
        options={([ANY, ...interactionStates] as const).map((value) => ({ value, label: texts.tourStates[value] }))}
        value={row.range ?? ANY}
        onChange={(state) => onChange({ range: state === ANY ? undefined : state })}
        isDisabled={isDisabled}
        className={`w-44 ${hiddenLabel}`}
      />
      <AgeFields row={row} subject={subject} onChange={onChange} isDisabled={isDisabled} />
    </>
  );
}

export function SurveyFields({ row, subject, onChange, isDisabled }: FieldsProps<SurveyRow>) {
  return (
    <>
      <PresenceField row={row} subject={subject} words={texts.answered} isDisabled={isDisabled} onChange={onChange} />
      <CompareFields
        row={row}
        label={texts.answer(subject)}
        numberLabel={texts.answerNumber(subject)}
        any={texts.anyAnswer}
        words={texts.answerWords}
        onChange={onChange}
        isDisabled={isDisabled}
      />
      {row.mod !== undefined && <p className="basis-full text-13 text-soft">{texts.answerHelp}</p>}
    </>
  );
}

export function SegmentFields({ row, subject, onChange, isDisabled }: FieldsProps<SegmentRow>) {
  return (
    <PresenceField row={row} subject={subject} words={texts.inSegment} isDisabled={isDisabled} onChange={onChange} />
  );
}

interface Compared {
  mod?: ComparisonOp | undefined;
  range?: number | undefined;
}

interface CompareFieldsProps {
  row: Compared;
  label: string;
  numberLabel: string;
  /** The text of the option without a comparison. */
  any: string;
  words: Record<ComparisonOp, string>;
  unit?: string;
  onChange: (changes: Compared) => void;
  isDisabled: boolean;
}

/** Compares a number, or accepts any number. */
function CompareFields({ row, label, numberLabel, any, words, unit, onChange, isDisabled }: CompareFieldsProps) {
  return (
    <>
      <Select
        label={label}
        options={[{ value: ANY, label: any }, ...comparisons.map((value) => ({ value, label: words[value] }))]}
        value={row.mod ?? ANY}
        onChange={(mod) => onChange(mod === ANY ? { mod: undefined, range: undefined } : { mod, range: row.range })}
        isDisabled={isDisabled}
        className={`w-44 ${hiddenLabel}`}
      />
      {row.mod !== undefined && (
        <span className="flex items-center gap-2">
          <NumberInput
            label={numberLabel}
            value={row.range}
            onChange={(range) => onChange({ range })}
            isDisabled={isDisabled}
          />
          {unit !== undefined && <span className="text-14 text-soft">{unit}</span>}
        </span>
      )}
    </>
  );
}

function AgeFields({ row, subject, onChange, isDisabled }: FieldsProps<Pick<EventRow, 'cond' | 'int'>>) {
  return (
    <>
      <Select
        label={texts.age(subject)}
        options={[
          { value: ANY, label: texts.anyAge },
          ...ageOps.map((value) => ({ value, label: texts.ageWords[value] })),
        ]}
        value={row.cond ?? ANY}
        onChange={(cond) =>
          onChange(
            cond === 'gt-d' || cond === 'lt-d'
              ? { cond, int: row.int ?? DEFAULT_DAYS }
              : { cond: undefined, int: undefined },
          )
        }
        isDisabled={isDisabled}
        className={`w-44 ${hiddenLabel}`}
      />
      {row.cond !== undefined && (
        <DaysField
          label={texts.ageDays(subject)}
          value={row.int}
          onChange={(int) => onChange({ int })}
          isDisabled={isDisabled}
        />
      )}
    </>
  );
}
