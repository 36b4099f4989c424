import type { ColumnTypes } from './migration.ts';

/** A moment was the time of the visit × 1000 and the number of the showing; now it is the time of the showing. */
const toTimes = (column: string) => `${column} = ${column} / 1000 + ${column} % 1000`;

/** What the browser script tells of. */
export function script({ id, time }: ColumnTypes): string[] {
  return [
    `alter table interactions add column ended_by ${time}`,
    `update interactions set ${['showing_from', 'showing_to', 'displayed_to'].map(toTimes).join(', ')}`,
    `update responses set ${toTimes('showing_from')}`,
    `create table findings (
      account_id ${id} not null,
      experience_id ${id} not null,
      day integer not null,
      part_id ${id} not null,
      path ${id} not null,
      finding text not null,
      profile_id ${id} not null,
      at ${time} not null,
      primary key (account_id, experience_id, day, part_id, path, finding, profile_id),
      foreign key (account_id, profile_id) references profiles (account_id, id)
    )`,
    'create index findings_by_profile on findings (account_id, profile_id)',
  ];
}
