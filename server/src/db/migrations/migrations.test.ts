import { describe, expect, it } from 'vitest';
import { migrations } from './index.ts';
import type { ColumnTypes } from './migration.ts';

/** Nodes of the version before serve requests while these run, and after them. Those before this one were made for one node. */
const FIRST_BESIDE = '0032';

const types: ColumnTypes = {
  id: 'text',
  time: 'bigint',
  json: 'text',
  bytes: 'bytea',
  indexJson: () => [],
  millisOfId: String,
  // One server at a time uses a SQLite file.
  onSqlite: () => [],
  onPostgres: (...statements) => statements,
};

/** What takes something away that the version before may use, or adds what it does not fill in. */
const forbidden: [why: string, pattern: RegExp][] = [
  ['drops a column', /\bdrop\s+column\b/i],
  ['drops a table', /\bdrop\s+table\b/i],
  ['drops an index that `on conflict` may need', /\bdrop\s+index\b/i],
  ['renames', /\brename\s+(to|column)\b/i],
  ['changes a type', /\balter\s+column\s+\w+\s+(set\s+data\s+)?type\b/i],
  [
    'requires a value that the version before does not write',
    /\badd\s+column\s+(?![^,]*\bdefault\b)[^,]*\bnot\s+null\b/i,
  ],
  ['requires a value that the version before does not write', /\bset\s+not\s+null\b/i],
];

/** They are not unique, so no `on conflict` needs them, and the new primary keys or indexes begin with their columns. */
const allowed = [
  'drop index activities_by_profile',
  'drop index events_by_profile',
  'drop index responses_by_experience',
];

function problemsOf(statement: string): string[] {
  return forbidden.filter(([, pattern]) => pattern.test(statement)).map(([why]) => why);
}

describe('migrations', () => {
  const isNewEnough = ([name]: [string, unknown]) => name >= FIRST_BESIDE;
  it.each(Object.entries(migrations).filter(isNewEnough))('%s leaves the version before working', (_, steps) => {
    const statements = steps(types).filter((step): step is string => typeof step === 'string');
    expect(statements.filter((one) => !allowed.includes(one)).flatMap(problemsOf)).toEqual([]);
  });

  it.each([
    'alter table a drop column b',
    'drop table a',
    'drop index a_by_b',
    'alter table a rename to b',
    'alter table a rename column b to c',
    'alter table a alter column b type text',
    'alter table a add column b text not null',
    'alter table a alter column b set not null',
  ])('`%s` would not', (statement) => {
    expect(problemsOf(statement)).toHaveLength(1);
  });

  it.each([
    'create table a (b text not null)',
    'alter table a add column b text',
    "alter table a add column b text not null default ''",
    'create index a_by_b on a (b)',
    'update a set b = 1 where b is null',
  ])('`%s` would', (statement) => {
    expect(problemsOf(statement)).toEqual([]);
  });
});
