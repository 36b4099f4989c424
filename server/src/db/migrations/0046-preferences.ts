import type { ColumnTypes } from './migration.ts';

/** What an administrator has chosen for the dashboard, such as saved views. */
export function preferences({ json }: ColumnTypes): string[] {
  return [`alter table admins add column preferences ${json}`];
}
