import type { ColumnTypes } from './migration.ts';

/** Which files records were applied from. */
export function managedRecords({ id, time, json }: ColumnTypes): string[] {
  return [
    `create table managed_records (
      account_id ${id} not null,
      record_id ${id} not null,
      file text not null,
      source text,
      version text not null,
      parts ${json} not null,
      applied_at ${time} not null,
      primary key (account_id, record_id)
    )`,
  ];
}
