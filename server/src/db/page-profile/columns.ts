import { keysOf, recordOf } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Schema } from '../schema.ts';

type ProfileRow = Selectable<Schema['profiles']>;

interface PageColumn<Value> {
  /** The type on PostgreSQL. */
  type: 'text' | 'bigint' | 'integer' | 'double precision' | 'jsonb';
  /** The value in a profile that is not stored. */
  initial: Value;
  /**
   * When page loads write the column: `insert` when they create the profile, `browser` also with each later page load, from
   * what the browser sends. Without it, page loads only read the column.
   */
  written?: 'insert' | 'browser';
}

/**
 * The profile columns that page loads read. The statements, the parser of their results and the types are derived from this
 * list, so a new column is one new line here.
 */
const pageColumns = {
  id: { type: 'text', initial: '', written: 'insert' },
  created_at: { type: 'bigint', initial: null },
  updated_at: { type: 'bigint', initial: 0, written: 'insert' },
  uid: { type: 'text', initial: '', written: 'insert' },
  email: { type: 'text', initial: null },
  company_id: { type: 'text', initial: null },
  percent: { type: 'double precision', initial: 0, written: 'insert' },
  browser_x: { type: 'integer', initial: null, written: 'browser' },
  browser_tz: { type: 'integer', initial: null, written: 'browser' },
  browser_l: { type: 'text', initial: null, written: 'browser' },
  browser_n: { type: 'text', initial: null, written: 'browser' },
  browser_k: { type: 'text', initial: null, written: 'browser' },
  last_seen_at: { type: 'bigint', initial: null, written: 'insert' },
  last_seen_session_count: { type: 'integer', initial: 0 },
  last_cleared_at: { type: 'bigint', initial: null },
  delivery_ids: { type: 'jsonb', initial: [] },
  pending_starts: { type: 'jsonb', initial: [] },
  wake_count: { type: 'integer', initial: 0 },
  custom: { type: 'jsonb', initial: {}, written: 'insert' },
  page_keys: { type: 'jsonb', initial: [], written: 'insert' },
} satisfies { [Name in keyof ProfileRow]?: PageColumn<ProfileRow[Name]> };

type PageColumns = typeof pageColumns;
type ColumnName = keyof PageColumns;
type ColumnsWith<Property> = {
  [Name in ColumnName]: PageColumns[Name] extends Property ? Name : never;
}[ColumnName];

export type BrowserColumn = ColumnsWith<{ written: 'browser' }>;
export type InsertedColumn = ColumnsWith<{ written: 'insert' | 'browser' }>;
export type JsonColumn = ColumnsWith<{ type: 'jsonb' }>;

/** The profile as page loads read it. */
export type PageProfileRow = Pick<ProfileRow, ColumnName>;

function columnsWhere<Name extends ColumnName>(matches: (column: PageColumn<unknown>) => boolean): Name[] {
  return keysOf<Name>(pageColumns).filter((name) => matches(pageColumns[name]));
}

/** The types of these columns on PostgreSQL. */
export function typesOf<Name extends ColumnName>(names: readonly Name[]): Record<Name, string> {
  return recordOf(names, (name) => pageColumns[name].type);
}

export const columnNames = columnsWhere<ColumnName>(() => true);
export const jsonColumns = columnsWhere<JsonColumn>(({ type }) => type === 'jsonb');
export const plainColumns = columnsWhere<Exclude<ColumnName, JsonColumn>>(({ type }) => type !== 'jsonb');
export const browserColumns = columnsWhere<BrowserColumn>(({ written }) => written === 'browser');
export const insertedColumns = columnsWhere<InsertedColumn>(({ written }) => written !== undefined);

/** A row of a profile that is not stored, except for what identifies it. */
export function initialRow(): PageProfileRow {
  const values = columnNames.map((name) => [name, structuredClone(pageColumns[name].initial)]);
  return Object.fromEntries(values) as PageProfileRow;
}

/** The columns of interactions that page loads read, one interaction for each Experience. */
export const interactionColumns = [
  'experience_id',
  'state',
  'updated_at',
  'defer_until',
  'group_kind',
  'displayed_at',
  'started_at',
  'completed_at',
  'exited_at',
  'step_id',
  'items',
] as const satisfies (keyof Schema['interactions'])[];

export type PageInteraction = Pick<Selectable<Schema['interactions']>, (typeof interactionColumns)[number]>;
