import type { ColumnTypes } from './migration.ts';

/**
 * Fields of limit groups and Tags that existing clients read. A limit group that nodes of the version before create has
 * neither a kind nor Tags: the list of its Experiences says what it is about.
 */
export function recordFields({ id, time, json }: ColumnTypes): string[] {
  return [
    'alter table limit_groups add column description text',
    `alter table limit_groups add column experience_kind ${id}`,
    `alter table limit_groups add column tag_ids ${json} not null default '[]'`,
    'alter table tags add column description text',
    `alter table tags add column disabled_at ${time}`,
    `alter table tags add column last_seen_at ${time}`,
  ];
}
