import { reachScopes, timeOfId } from '@usher/domain';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Db } from '../db/storage.ts';

const DAY_MS = 24 * 60 * 60_000;
/** People go on answering for a while. A Response is exported when nothing has changed it for so long. */
const QUIET_MS = 2 * 60 * 60_000;

/** How a value is written: `timestamp` is in UTC, `json` is a JSON text. */
type ColumnType = 'text' | 'integer' | 'number' | 'timestamp' | 'date' | 'json';

/** A row as the database has it, with what `complete` has added. */
export type Row = Readonly<Record<string, unknown>>;

/** A value of a file. Timestamps and dates are milliseconds. */
export type Value = string | number | object | null;

export interface ExportColumn {
  name: string;
  type: ColumnType;
  /** For docs/export.md, which lists all columns. */
  description: string;
  value(row: Row): Value;
}

export interface ExportTable {
  /** The name in the names of files. */
  name: string;
  description: string;
  table: 'events' | 'activities' | 'responses' | 'exposures' | 'merged_profiles' | 'deletions';
  /** The rest of the primary key after the account, and the types that PostgreSQL needs to compare it. */
  key: { readonly [column: string]: 'text' | 'integer' };
  /** The columns that are read, besides the key. */
  reads: readonly string[];
  columns: readonly ExportColumn[];
  /** Which of the rows that are in no file can be exported now. */
  isReady?(now: number): Expression<SqlBool>;
  /** For rows that change: the column that grows with each change, and where the value is kept that was exported. */
  changes?: { grows: string; exported: string };
  /** Adds what other tables have about these rows, in the transaction that gives them their number. */
  complete?(db: Db, accountId: string, rows: Row[]): Promise<Row[]>;
}

const text = (name: string, description: string, from = name): ExportColumn => ({
  ...{ name, type: 'text', description },
  value: (row) => row[from] as string | null,
});
const time = (name: string, description: string, value: (row: Row) => unknown): ExportColumn => ({
  ...{ name, type: 'timestamp', description },
  value: (row) => (value(row) == null ? null : Number(value(row))),
});
const json = (name: string, description: string, value: (row: Row) => unknown): ExportColumn => ({
  ...{ name, type: 'json', description },
  value: (row) => parsed(value(row)),
});

/** SQLite returns the JSON of a statement that writes as text. */
function parsed(value: unknown): object | null {
  return typeof value === 'string' ? JSON.parse(value) : ((value ?? null) as object | null);
}

const account = text('account_id', 'the account');
const profile = text('profile_id', 'the ID that Usher has for the user');
const uid = text(
  'uid',
  'the ID that your product has for the user, when the row was exported; null for a user who was deleted meanwhile',
);
const experience = text('experience_id', 'the Experience');

/** Everything that is exported. docs/export.md describes it, and a test compares both. */
export const exportTables: readonly ExportTable[] = [
  {
    name: 'events',
    description: 'One row for each event that a page or a backend sent',
    table: 'events',
    key: { profile_id: 'text', id: 'text' },
    reads: ['name', 'custom'],
    columns: [
      account,
      text('id', 'the event'),
      profile,
      uid,
      text('name', 'the Event Name, as Segments name it: in lower case, with `_` for spaces'),
      time('created_at', 'when it happened', ({ id }) => timeOfId(id as string)),
      json('properties', 'what was sent with it', ({ custom }) => custom),
    ],
  },
  {
    name: 'activities',
    description: 'One row for each day on which a user did something with an Experience, or a part of it',
    table: 'activities',
    key: { profile_id: 'text', experience_id: 'text', what: 'text', part_id: 'text', day: 'integer' },
    reads: ['language', 'device', 'url_group_id', 'variant'],
    // What users did with any Experience only repeats the other rows.
    isReady: () => sql`experience_id not in (${sql.join(reachScopes)})`,
    columns: [
      account,
      profile,
      uid,
      experience,
      text(
        'what',
        'what the user did: `displayed`, `started`, `completed`, `exited`, … `shown` is displayed or started',
      ),
      text('part_id', 'the step, button or item; empty for the Experience itself'),
      {
        ...{ name: 'day', type: 'date', description: 'the day in the time zone of the account' },
        value: ({ day }) => Number(day) * DAY_MS,
      },
      text('language', 'the language of the texts; empty if unknown'),
      text('device', '`desktop`, `tablet` or `mobile`; empty if unknown'),
      text('environment_id', 'the Environment of the page; empty without one', 'url_group_id'),
      text('variant_id', 'the variant of the user while an experiment ran; empty without one', 'variant'),
    ],
  },
  {
    name: 'responses',
    description: `One row for each Response to a survey, ${QUIET_MS / 3_600_000} hours after its last change. One that changes later is there again, with a later \`updated_at\``,
    table: 'responses',
    key: { id: 'text' },
    reads: ['profile_id', 'experience_id', 'created_at', 'updated_at', 'finished_at', 'score', 'language', 'href'],
    isReady: (now) => sql<SqlBool>`updated_at < ${now - QUIET_MS}`,
    changes: { grows: 'updated_tick', exported: 'exported_tick' },
    complete: addAnswers,
    columns: [
      account,
      text('id', 'the Response'),
      profile,
      uid,
      experience,
      time('created_at', 'when the first answer came', ({ id, created_at }) => created_at ?? timeOfId(id as string)),
      time('updated_at', 'when it last changed', ({ updated_at }) => updated_at),
      time('finished_at', 'when the survey was completed; null if it was not', ({ finished_at }) => finished_at),
      {
        ...{ name: 'score', type: 'integer', description: 'the first number that was given; null without one' },
        value: ({ score }) => (score === null ? null : Number(score)),
      },
      text('language', 'the language in which the survey was shown; empty for its own'),
      text('href', 'the page; null if unknown'),
      json('answers', 'a list of `{step_id, button_id, button_text, value, input, choices}`', ({ answers }) => answers),
    ],
  },
  {
    name: 'exposures',
    description:
      'One row for each user and experiment: the variant of the user, from the first page where it could show',
    table: 'exposures',
    key: { profile_id: 'text', experiment_id: 'text' },
    reads: ['variant_id', 'exposed_at'],
    columns: [
      account,
      profile,
      uid,
      text('experiment_id', 'the experiment'),
      text('variant_id', 'the variant; also that of the control'),
      time('exposed_at', 'when the user was exposed', ({ exposed_at }) => exposed_at),
    ],
  },
  {
    name: 'merges',
    description:
      'One row for each user who signed in: rows that were exported before have the ID of the anonymous user',
    table: 'merged_profiles',
    key: { id: 'text' },
    reads: ['profile_id', 'at'],
    columns: [
      account,
      text('anonymous_profile_id', 'the ID before', 'id'),
      text('profile_id', 'the ID of the user since then'),
      time('merged_at', 'when the user signed in', ({ at }) => at),
    ],
  },
  {
    name: 'deletions',
    description: 'One row for each user who was forgotten: whose rows you have to delete',
    table: 'deletions',
    key: { id: 'text' },
    reads: ['profile_hash'],
    isReady: () => sql<SqlBool>`profile_hash is not null`,
    columns: [
      account,
      text('id', 'the Deletion'),
      text('profile_hash', 'the SHA-256 of `account_id`, a space and `profile_id`, in hex'),
      time('deleted_at', 'when the user was forgotten', ({ id }) => timeOfId(id as string)),
    ],
  },
];

/** The users who are test users now. This file is replaced by each export. */
export const testUsers = {
  name: 'test_users',
  description: 'One row for each user who is a test user now. Each export replaces this file',
  columns: [account, profile],
};

/** Whether `uid` is read for the rows of a table. */
export function hasUid({ columns }: ExportTable): boolean {
  return columns.includes(uid);
}

async function addAnswers(db: Db, accountId: string, rows: Row[]): Promise<Row[]> {
  const ids = rows.map(({ id }) => id as string);
  const answers = await db
    .selectFrom('answers')
    .select(['response_id', 'step_id', 'button_id', 'button_text', 'value', 'input', 'choices'])
    .where('account_id', '=', accountId)
    .where('response_id', 'in', ids)
    .orderBy('response_id')
    .orderBy('question_order')
    .execute();
  const answersOf = groupBy(answers);
  return rows.map((row) => ({
    ...row,
    answers: (answersOf.get(row.id as string) ?? []).map(({ response_id: _, choices, ...answer }) => ({
      ...answer,
      choices: choices === null ? null : JSON.parse(choices),
    })),
  }));
}

function groupBy<One extends { response_id: string }>(rows: readonly One[]): Map<string, One[]> {
  const groups = new Map<string, One[]>();
  for (const row of rows) groups.set(row.response_id, [...(groups.get(row.response_id) ?? []), row]);
  return groups;
}
