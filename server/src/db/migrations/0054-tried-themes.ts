import type { ColumnTypes } from './migration.ts';

/** The theme whose draft is tried on an Experience. */
export function triedThemes({ id }: ColumnTypes): string[] {
  return [`alter table picks add column theme_id ${id}`];
}
