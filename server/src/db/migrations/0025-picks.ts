import type { ColumnTypes, MigrationStep } from './migration.ts';

/** Permissions to pick an element, or to try a draft, on one page of the customer. */
export function picks({ id, time, json }: ColumnTypes): MigrationStep[] {
  return [
    `create table picks (
      account_id ${id} not null,
      id ${id} not null,
      admin_id ${id} not null,
      purpose text not null,
      experience_id ${id} not null,
      step_id ${id},
      profile_id ${id},
      host ${id} not null,
      href text not null,
      key_hash ${id} not null,
      code_hash ${id} not null,
      token_hash ${id},
      expires_at ${time} not null,
      opened_at ${time},
      page ${json},
      result ${json},
      result_at ${time},
      ended_at ${time},
      primary key (account_id, id)
    )`,
    'create unique index picks_by_key on picks (account_id, key_hash)',
    'create index picks_by_code on picks (account_id, code_hash)',
    'create index picks_by_admin on picks (account_id, admin_id, id)',
    'create index picks_by_profile on picks (account_id, profile_id)',
  ];
}
