import type { ColumnTypes } from './migration.ts';

/** Drafts that wait until a person approves them, and secrets with which assistants may read data of people. */
export function proposals({ id, time, json }: ColumnTypes): string[] {
  return [
    'alter table secrets add column people boolean not null default false',
    `create table proposals (
      account_id ${id} not null,
      id ${id} not null,
      updated_at ${time} not null,
      state text not null,
      kind text not null,
      experience_id ${id},
      is_new boolean not null,
      base_updated_at ${time},
      document ${json} not null,
      note text,
      secret_id ${id},
      admin_id ${id} not null,
      decided_at ${time},
      decided_by ${id},
      reason text,
      primary key (account_id, id)
    )`,
    'create index proposals_by_state on proposals (account_id, state, id)',
  ];
}
