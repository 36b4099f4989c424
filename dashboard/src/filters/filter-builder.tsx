import { type GroupOp, MAX_FILTER_DEPTH, MAX_FILTERS } from '@usher/domain';
import { Plus, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import * as text from '../messages/text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Select } from '../ui/select.tsx';
import { AddCondition } from './add-condition.tsx';
import { FilterRow } from './filter-row.tsx';
import type { FilterSet } from './filter-set.ts';
import { countRows, countUnfinished, type GroupRow, type Row, type RowContent, toFilterSet, toRows } from './rows.ts';
import { type FilteredKind, type KnownSubjects, useKnownSubjects } from './use-filter-names.ts';

const texts = text.filters;
const ops = { profile: texts.op, company: texts.companyOp, event: texts.eventOp };
const empty = { profile: texts.empty, company: texts.emptyCompanies, event: texts.emptyEvents };

interface FilterBuilderProps {
  value: FilterSet;
  /** Is called with the complete conditions. */
  onChange: (value: FilterSet) => void;
  /** Is called with the number of incomplete conditions, which are not part of the value. */
  onUnfinished?: (count: number) => void;
  /** Whether the conditions are about Companies. */
  isCompany?: boolean;
  /** Whether the conditions are about the properties of an event. */
  isEvent?: boolean;
  /** Whether conditions can be about what people did: events, tours and surveys. */
  hasActivity?: boolean;
  isDisabled?: boolean;
}

interface Edited {
  rows: Row[];
  filters_op: GroupOp;
  /** The value that the rows were last made from, or compared with. */
  seen: string;
  /** Increases when the value is replaced from outside, so that all rows are rendered again. */
  generation: number;
}

/** Conditions about people or Companies, joined by "and" or "or", and nested in groups. */
export function FilterBuilder(props: FilterBuilderProps) {
  const { value, onChange, onUnfinished, isCompany, isEvent, isDisabled = false } = props;
  const about = isEvent ? 'event' : isCompany ? 'company' : 'profile';
  const { hasActivity = about === 'profile' } = props;
  const known = useKnownSubjects(about);
  const root = useRef<HTMLFieldSetElement>(null);
  const added = useRef(0);
  const [edited, setEdited] = useState<Edited>(() => toEdited(value, 0));
  const given = JSON.stringify(value);
  let { rows, filters_op } = edited;
  if (given !== edited.seen) {
    const isOwn = given === JSON.stringify(toFilterSet(rows, filters_op));
    const next = isOwn ? { ...edited, seen: given } : toEdited(value, edited.generation + 1);
    setEdited(next);
    ({ rows, filters_op } = next);
  }
  const set = (next: Row[], op: GroupOp) => {
    setEdited({ ...edited, rows: next, filters_op: op });
    const nextValue = toFilterSet(next, op);
    if (JSON.stringify(nextValue) !== given) onChange(nextValue);
  };
  const unfinished = countUnfinished(rows);
  useEffect(() => onUnfinished?.(unfinished), [unfinished, onUnfinished]);
  const newRow = (content: RowContent): Row => ({ key: `${edited.generation}+${++added.current}`, ...content });
  return (
    <fieldset ref={root} aria-label={texts.label} onKeyDown={acceptWithEnter} className="flex min-w-0 flex-col gap-2">
      <RowList
        rows={rows}
        op={filters_op}
        onChange={set}
        depth={1}
        isFull={countRows(rows) >= MAX_FILTERS}
        known={known}
        about={about}
        hasActivity={hasActivity}
        isDisabled={isDisabled}
        newRow={newRow}
        focus={(selector) => focusAfterwards(root.current, selector)}
      />
    </fieldset>
  );
}

/**
 * Enter accepts a value. It does not submit the form around the field, because that would save a Segment that is not
 * complete.
 */
function acceptWithEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
}

function toEdited(value: FilterSet, generation: number): Edited {
  const { filters, filters_op } = value;
  return { rows: toRows(filters, String(generation)), filters_op, seen: JSON.stringify(value), generation };
}

/** Waits one frame, because the field of a new row, or the button beside a removed row, is rendered then. */
function focusAfterwards(root: HTMLElement | null, selectors: readonly string[]): void {
  requestAnimationFrame(() => {
    const found = selectors.map((selector) => root?.querySelector<HTMLElement>(selector)).find((one) => one != null);
    found?.focus();
    if (found instanceof HTMLInputElement) found.select();
    if (found?.closest('[data-add]')) requestAnimationFrame(() => closeList(found));
  });
}

/** The field to add a condition opens its list when it gets the focus. After a removal the user does not want it, and it covers what follows. */
function closeList(field: HTMLElement): void {
  if (field.ariaExpanded === 'true')
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
}

interface RowListProps {
  rows: Row[];
  op: GroupOp;
  onChange: (rows: Row[], op: GroupOp) => void;
  /** How deep the list is nested; the outermost is 1. */
  depth: number;
  isFull: boolean;
  known: KnownSubjects;
  about: FilteredKind;
  hasActivity: boolean;
  isDisabled: boolean;
  newRow: (content: RowContent) => Row;
  /** Focuses the first of these elements that exists. */
  focus: (selectors: readonly string[]) => void;
}

function RowList(props: RowListProps) {
  const { rows, op, onChange, depth, isFull, known, about, hasActivity, isDisabled, newRow, focus } = props;
  const change = (next: Row) =>
    onChange(
      rows.map((row) => (row.key === next.key ? next : row)),
      op,
    );
  const add = (content: RowContent) => {
    const row = newRow(content);
    onChange([...rows, row], op);
    const within = `[data-row="${CSS.escape(row.key)}"]`;
    focus([`${within} input:not([type=hidden])`, `${within} button`]);
  };
  const remove = (index: number) => {
    const neighbor = rows[index + 1] ?? rows[index - 1];
    onChange(rows.toSpliced(index, 1), op);
    const beside = neighbor ? [`[data-remove="${CSS.escape(neighbor.key)}"]`] : [];
    focus([...beside, '[data-add] input']);
  };
  return (
    <>
      {rows.length > 1 && (
        <Select
          label={ops[about]}
          options={(['and', 'or'] as const).map((value) => ({ value, label: texts.ops[value] }))}
          value={op}
          onChange={(next) => onChange(rows, next)}
          isDisabled={isDisabled}
          className="flex-row! items-center gap-2! [&_button]:w-36"
        />
      )}
      {rows.length === 0 && depth === 1 && <p className="text-14 text-soft">{empty[about]}</p>}
      {rows.length > 0 && (
        <ul className="flex flex-col gap-1">
          {rows.map((row, index) => (
            <li key={row.key} className="flex min-w-0 flex-col gap-1">
              {index > 0 && <span className="pl-3 text-12 text-soft">{texts.between[op]}</span>}
              {row.kind === 'group' ? (
                <Group {...props} row={row} onChange={change} onRemove={() => remove(index)} />
              ) : (
                <FilterRow
                  row={row}
                  known={known}
                  onChange={change}
                  onRemove={() => remove(index)}
                  isDisabled={isDisabled}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {!isDisabled && !isFull && (
        <div className="flex flex-wrap items-start gap-2">
          <AddCondition known={known} about={about} hasActivity={hasActivity} hasHelp={depth === 1} onAdd={add} />
          {depth < MAX_FILTER_DEPTH && (
            <Button
              look="quiet"
              icon={Plus}
              onPress={() => add({ kind: 'group', rows: [], filters_op: op === 'and' ? 'or' : 'and' })}
            >
              {texts.addGroup}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

interface GroupProps extends Omit<RowListProps, 'rows' | 'op' | 'onChange'> {
  row: { key: string } & GroupRow;
  onChange: (row: Row) => void;
  onRemove: () => void;
}

function Group({ row, onChange, onRemove, ...props }: GroupProps) {
  return (
    <fieldset
      aria-label={texts.group}
      data-row={row.key}
      className="flex min-w-0 flex-col gap-2 rounded-10 border border-line bg-ground p-2"
    >
      <div className="flex items-center justify-between gap-2">
        <span className="pl-1 text-13 font-medium">{texts.group}</span>
        {!props.isDisabled && (
          <IconButton
            icon={X}
            size="small"
            label={texts.remove(texts.group)}
            onPress={onRemove}
            data-remove={row.key}
          />
        )}
      </div>
      {row.rows.length === 0 && <p className="pl-1 text-13 text-warn">{texts.emptyGroup}</p>}
      <RowList
        {...props}
        rows={row.rows}
        op={row.filters_op}
        depth={props.depth + 1}
        onChange={(rows, filters_op) => onChange({ ...row, rows, filters_op })}
      />
    </fieldset>
  );
}
