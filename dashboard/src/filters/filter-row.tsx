import { foreignFilterKinds } from '@usher/domain';
import {
  Building2,
  CalendarCheck,
  ChartPie,
  CircleDashed,
  MessageSquareText,
  Route,
  TriangleAlert,
  UserRound,
  X,
} from 'lucide-react';
import type { ReactNode } from 'react';
import * as text from '../messages/text.ts';
import { IconButton } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { EventFields, SegmentFields, SurveyFields, TourFields } from './activity-fields.tsx';
import { PropertyFields } from './property-fields.tsx';
import { type ForeignRow, findProblem, type GroupRow, type Row } from './rows.ts';
import type { KnownSubjects } from './use-filter-names.ts';
import { describeDaysProblem } from './value-fields.tsx';

const texts = text.filters;

export const subjectIcons = {
  property: UserRound,
  company: Building2,
  event: CalendarCheck,
  tour: Route,
  survey: MessageSquareText,
  segment: ChartPie,
  foreign: TriangleAlert,
};

type SingleRow = Exclude<Row, GroupRow>;

interface FilterRowProps {
  row: SingleRow;
  known: KnownSubjects;
  onChange: (row: SingleRow) => void;
  onRemove: () => void;
  isDisabled: boolean;
}

/** One condition: what it is about, how it is compared, and with what. */
export function FilterRow({ row, known, onChange, onRemove, isDisabled }: FilterRowProps) {
  const subject = nameSubject(row, known);
  const problem = findProblem(row);
  const kind = row.kind === 'property' && known.findProperty(row.prop).isOfCompany ? 'company' : row.kind;
  const Icon = subjectIcons[kind];
  return (
    <fieldset
      aria-label={subject}
      data-row={row.key}
      className={cx(
        'flex min-w-0 items-start gap-x-2 gap-y-1.5 rounded-6 border bg-surface py-1.5 pr-1 pl-2.5',
        problem ? 'border-warn' : 'border-line',
      )}
    >
      <div className="flex min-w-0 flex-1 flex-wrap items-start gap-2">
        <span className="flex min-h-8 min-w-0 items-center gap-2 max-sm:basis-full sm:max-w-60 sm:min-w-36">
          <Icon size={16} role="img" aria-label={texts.kinds[kind]} className="shrink-0 text-faint" />
          <bdi title={subject} className="truncate text-14 font-medium">
            {subject}
          </bdi>
        </span>
        <RowFields row={row} subject={subject} known={known} onChange={onChange} isDisabled={isDisabled} />
        {problem && problem !== 'group' && (
          <p className="flex basis-full items-center gap-1.5 text-13 text-warn">
            <CircleDashed size={16} aria-hidden className="shrink-0" />
            {problem === 'days' ? describeDaysProblem() : texts.unfinished[problem]}
          </p>
        )}
      </div>
      {!isDisabled && <IconButton icon={X} label={texts.remove(subject)} onPress={onRemove} data-remove={row.key} />}
    </fieldset>
  );
}

function nameSubject(row: SingleRow, known: KnownSubjects): string {
  switch (row.kind) {
    case 'property':
      return known.findProperty(row.prop).name;
    case 'event':
      return known.names.event(row.value);
    case 'segment':
      return known.names.segment(row.value);
    case 'foreign':
      return texts.foreign.name(row.filter.kind);
    default:
      return known.names.experience(row.kind, row.value);
  }
}

const describeInstead = ({ filter }: ForeignRow) => foreignFilterKinds[filter.kind].replaceAll('`', '');

interface RowFieldsProps extends Pick<FilterRowProps, 'row' | 'known' | 'onChange' | 'isDisabled'> {
  subject: string;
}

function RowFields({ row, subject, known, onChange, isDisabled }: RowFieldsProps): ReactNode {
  const field = { subject, isDisabled };
  switch (row.kind) {
    case 'property':
      return (
        <PropertyFields
          row={row}
          property={known.findProperty(row.prop)}
          onChange={(changes) => onChange({ ...row, ...changes })}
          isDisabled={isDisabled}
        />
      );
    case 'event':
      return <EventFields {...field} row={row} onChange={(changes) => onChange({ ...row, ...changes })} />;
    case 'tour':
      return <TourFields {...field} row={row} onChange={(changes) => onChange({ ...row, ...changes })} />;
    case 'survey':
      return <SurveyFields {...field} row={row} onChange={(changes) => onChange({ ...row, ...changes })} />;
    case 'foreign':
      return <p className="basis-full text-13 text-warn">{texts.foreign.help(describeInstead(row))}</p>;
    case 'segment':
      return <SegmentFields {...field} row={row} onChange={(changes) => onChange({ ...row, ...changes })} />;
  }
}
