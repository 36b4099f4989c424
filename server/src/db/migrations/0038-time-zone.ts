import type { ColumnTypes } from './migration.ts';

/** The time zone in which the days of results begin. */
export function timeZone({ time }: ColumnTypes): string[] {
  return [
    "alter table accounts add column time_zone text not null default 'UTC'",
    `alter table accounts add column time_zone_changed_at ${time}`,
  ];
}
