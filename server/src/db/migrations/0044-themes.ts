import type { ColumnTypes } from './migration.ts';

/** Themes. Their versions and Changes are in the tables of Experiences, with the ID of the theme. */
export function themes({ id, time, json }: ColumnTypes): string[] {
  return [
    `create table themes (
      account_id ${id} not null,
      id ${id} not null,
      updated_at ${time} not null,
      name text not null,
      is_default boolean not null,
      draft ${json} not null,
      version_id ${id},
      primary key (account_id, id)
    )`,
  ];
}
