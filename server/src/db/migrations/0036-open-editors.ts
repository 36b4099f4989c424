import type { ColumnTypes } from './migration.ts';

/** Who has the editor of an Experience open. A row is old after a minute, and the next person who opens the editor deletes it. */
export function openEditors({ id, time }: ColumnTypes): string[] {
  return [
    `create table open_editors (
      account_id ${id} not null,
      experience_id ${id} not null,
      admin_id ${id} not null,
      seen_at ${time} not null,
      primary key (account_id, experience_id, admin_id)
    )`,
  ];
}
