import { type JsonText, joinJson } from '../json-text.ts';
import type { EngineText } from '../prepared-statement.ts';
import { columnNames, interactionColumns, jsonColumns, plainColumns } from './columns.ts';

/**
 * A user with its Company and its interactions as one JSON text: each further statement would cost as much as the rest
 * of a page load, and each further column costs the driver more than the parser.
 * @param profiles the name of the table, or of rows of it
 */
export function pageProfileJson({ list, rows }: JsonText, profiles: string = 'profiles'): string {
  const columnsOf = (table: string, names: readonly string[]) => names.map((name) => `${table}.${name}`);
  const parts = [
    list(columnsOf(profiles, plainColumns)),
    `(select ${rows(columnsOf('companies', ['uid', 'updated_at', 'created_at', 'custom']))} from companies
      where companies.account_id = :account and companies.id = ${profiles}.company_id)`,
    `(select ${rows(columnsOf('interactions', interactionColumns))} from interactions
      where interactions.account_id = :account and interactions.profile_id = ${profiles}.id)`,
    ...columnsOf(profiles, jsonColumns),
  ];
  return `${joinJson(parts)} as json`;
}

/**
 * Makes a write of profiles return the users that it wrote. On SQLite the write itself computes the JSON, as it cannot be
 * part of another statement. On PostgreSQL it returns plain columns, from which the same statement selects the JSON: Citus
 * computes nothing in RETURNING.
 */
export function returningPageProfiles({ engine, json }: EngineText, write: string): string {
  if (engine === 'sqlite') return `${write} returning ${pageProfileJson(json)}`;
  return `with changed as (${write} returning ${changedColumns}) select ${pageProfileJson(json, 'changed')} from changed`;
}

export const changedColumns = columnNames.map((name) => `profiles.${name}`).join(', ');
