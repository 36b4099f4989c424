import type { ColumnTypes, MigrationStep } from './migration.ts';

/** Sample data can be removed, so the records that came with it are remembered. */
export function sampleData({ id, time }: ColumnTypes): MigrationStep[] {
  return [
    `create table sample_records (
      account_id ${id} not null references accounts (id),
      type ${id} not null,
      id ${id} not null,
      at ${time} not null,
      primary key (account_id, type, id)
    )`,
  ];
}
