import type { ColumnTypes } from './migration.ts';

/**
 * Which properties only unproven pages have written, so that pages may change those alone. Rows from before this migration
 * have none: their values count as written by the backend.
 */
export function pageTrust({ id, json }: ColumnTypes): string[] {
  return [
    'alter table accounts add column trust_pages boolean not null default false',
    `alter table profiles add column page_keys ${json} not null default '[]'`,
    `create table page_counts (
      account_id ${id} not null,
      day integer not null,
      what ${id} not null,
      count bigint not null,
      primary key (account_id, day, what)
    )`,
  ];
}
