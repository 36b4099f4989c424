import type { ColumnTypes } from './migration.ts';

/**
 * How many events of each name there were in each quarter of an hour, without those of test users; what is known of an Event Name
 * besides its last time (`event_facts`); and the definition of events that are counted without code.
 */
export function eventCounts({ id, time, json, millisOfId, onSqlite, onPostgres }: ColumnTypes): string[] {
  const [withoutRowid = ''] = onSqlite('without rowid');
  return [
    `create table event_counts (
      account_id ${id} not null,
      name text not null,
      quarter integer not null,
      count integer not null,
      primary key (account_id, name, quarter)
    ) ${withoutRowid}`,
    `insert into event_counts (account_id, name, quarter, count)
      select account_id, name, quarter, count(*) from (
        select events.account_id, events.name, ${millisOfId('events.id')} / 900000 as quarter
        from events join profiles on profiles.account_id = events.account_id and profiles.id = events.profile_id
        where not profiles.is_test
      ) as counted
      group by account_id, name, quarter`,
    ...onSqlite(insertGoals("draft ->> '$.goal'")),
    ...onPostgres(insertGoals("draft ->> 'goal'")),
    `alter table properties add column event_facts ${json}`,
    `alter table properties add column definition ${json}`,
    `alter table properties add column published_at ${time}`,
  ];
}

/** What drafts use has had no events so far. */
function insertGoals(goal: string): string {
  return `insert into experience_uses (account_id, used_id, experience_id)
    select account_id, 'event:' || (${goal}), id from experiences where ${goal} is not null on conflict do nothing`;
}
