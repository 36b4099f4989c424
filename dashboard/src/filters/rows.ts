import {
  type AgeOp,
  type ComparisonOp,
  type Filter,
  type ForeignFilter,
  type GroupOp,
  type InteractionState,
  isForeign,
  MAX_FILTER_DAYS,
  type PresenceOp,
  type PropertyOp,
  type Scalar,
  type SegmentItem,
} from '@usher/domain';
import type { FilterSet } from './filter-set.ts';
import { isAge, isPresence, needsList, takesList } from './operators.ts';

/*
 * Conditions while they are edited. A row is a filter in which something can still be missing; then it is marked, and it is not part
 * of the filters.
 */

interface Counted {
  mod?: ComparisonOp | undefined;
  range?: number | undefined;
}
interface Aged {
  cond?: AgeOp | undefined;
  int?: number | undefined;
}

export type PropertyRow = { kind: 'property'; prop: string; op: PropertyOp; values: Scalar[] };
export type EventRow = { kind: 'event'; op: PresenceOp; value: string } & Counted & Aged;
export type TourRow = {
  kind: 'tour';
  op: PresenceOp;
  value: string;
  range?: InteractionState | undefined;
} & Aged;
export type SurveyRow = { kind: 'survey'; op: PresenceOp; value: string } & Counted;
export type SegmentRow = { kind: 'segment'; op: PresenceOp; value: string };
export type GroupRow = { kind: 'group'; rows: Row[]; filters_op: GroupOp };

/** A condition of another service, which can only be removed. */
export type ForeignRow = { kind: 'foreign'; filter: ForeignFilter };

export type RowContent = PropertyRow | EventRow | TourRow | SurveyRow | SegmentRow | GroupRow | ForeignRow;
export type Row = {
  /** Identifies the row within the page. */
  key: string;
  /** The ID of the item, if the row is an item of a Segment. */
  id?: string | undefined;
} & RowContent;

/** What is missing in a condition. */
export type RowProblem = 'value' | 'number' | 'days' | 'group';

export function toRows(filters: readonly SegmentItem[], prefix: string): Row[] {
  return filters.map(({ id, ...filter }, index) => {
    const key = `${prefix}.${index}`;
    return { key, ...(id !== undefined && { id }), ...toContent(filter, key) };
  });
}

function toContent(filter: Filter, key: string): RowContent {
  if (filter.kind === 'group')
    return { kind: 'group', rows: toRows(filter.filters, key), filters_op: filter.filters_op };
  if (isForeign(filter)) return { kind: 'foreign', filter };
  if (filter.kind !== 'property') return filter;
  return { kind: 'property', prop: filter.prop, op: filter.op, values: [filter.value ?? []].flat() };
}

/** The filters of the rows that are complete. */
export function toFilters(rows: readonly Row[]): SegmentItem[] {
  return rows.flatMap((row): SegmentItem[] => {
    const filter = toFilter(row);
    return filter ? [{ ...(row.id !== undefined && { id: row.id }), ...filter }] : [];
  });
}

export function toFilterSet(rows: readonly Row[], filters_op: GroupOp): FilterSet {
  return { filters: toFilters(rows), filters_op };
}

function toFilter(row: Row): Filter | undefined {
  if (findProblem(row)) return undefined;
  switch (row.kind) {
    case 'group':
      return { kind: 'group', filters: toFilters(row.rows), filters_op: row.filters_op };
    case 'property':
      return toPropertyFilter(row);
    case 'event':
      return { kind: 'event', op: row.op, value: row.value, ...countOf(row), ...ageOf(row) };
    case 'tour':
      return { kind: 'tour', op: row.op, value: row.value, ...(row.range && { range: row.range }), ...ageOf(row) };
    case 'survey':
      return { kind: 'survey', op: row.op, value: row.value, ...countOf(row) };
    case 'segment':
      return { kind: 'segment', op: row.op, value: row.value };
    case 'foreign':
      return row.filter;
  }
}

function toPropertyFilter({ prop, op, values }: PropertyRow): Filter {
  if (isPresence(op)) return { kind: 'property', prop, op };
  const [value = ''] = values;
  const isList = needsList(op) || (takesList(op) && values.length > 1);
  return { kind: 'property', prop, op, value: isList ? values : value };
}

function countOf({ mod, range }: Counted) {
  return mod === undefined || range === undefined ? {} : { mod, range };
}

function ageOf({ cond, int }: Aged) {
  return cond === undefined || int === undefined ? {} : { cond, int };
}

/** What keeps a row from being a filter. */
export function findProblem(row: Row): RowProblem | undefined {
  switch (row.kind) {
    case 'group':
      return toFilters(row.rows).length === 0 ? 'group' : undefined;
    case 'property':
      if (isAge(row.op)) return isDays(Number(row.values[0] ?? Number.NaN)) ? undefined : 'days';
      return isPresence(row.op) || row.values.some((value) => value !== '') ? undefined : 'value';
    case 'event':
    case 'tour':
      if (row.kind === 'event' && isOpen(row)) return 'number';
      return row.cond !== undefined && !isDays(row.int ?? Number.NaN) ? 'days' : undefined;
    case 'survey':
      return isOpen(row) ? 'number' : undefined;
    case 'segment':
    case 'foreign':
      return undefined;
  }
}

const isOpen = ({ mod, range }: Counted) => mod !== undefined && range === undefined;
const isDays = (days: number) => days >= 0 && days <= MAX_FILTER_DAYS;

/** How many rows are not complete. An empty group counts as one, any other group counts its incomplete rows. */
export function countUnfinished(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => {
    if (row.kind === 'group' && row.rows.length > 0) return sum + countUnfinished(row.rows);
    return sum + (findProblem(row) ? 1 : 0);
  }, 0);
}

/** The number of all rows, including rows in groups. */
export function countRows(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => sum + 1 + (row.kind === 'group' ? countRows(row.rows) : 0), 0);
}
