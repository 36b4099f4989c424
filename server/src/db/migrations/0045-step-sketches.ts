import type { ColumnTypes } from './migration.ts';

/** Sketches of the pages on which elements of steps were picked. */
export function stepSketches({ id, time, json }: ColumnTypes): string[] {
  return [
    `create table step_sketches (
      account_id ${id} not null,
      experience_id ${id} not null,
      step_id ${id} not null,
      updated_at ${time} not null,
      elements ${json} not null,
      sketch ${json} not null,
      primary key (account_id, experience_id, step_id)
    )`,
  ];
}
