import type { ColumnTypes } from './migration.ts';

/**
 * How many Responses each survey has, without those of test users: in total (without a Segment), and from the users of each Segment of a
 * survey that ends after some of each.
 */
export function responseCounts({ id, onSqlite, onPostgres }: ColumnTypes): string[] {
  const [withoutRowid = ''] = onSqlite('without rowid');
  return [
    'alter table responses add column segment_ids text',
    `create table response_counts (
      account_id ${id} not null,
      experience_id ${id} not null,
      segment_id ${id} not null,
      count integer not null,
      primary key (account_id, experience_id, segment_id)
    ) ${withoutRowid}`,
    `insert into response_counts (account_id, experience_id, segment_id, count)
      select responses.account_id, responses.experience_id, '', count(*)
      from responses join profiles on profiles.account_id = responses.account_id and profiles.id = responses.profile_id
      where not profiles.is_test
      group by responses.account_id, responses.experience_id`,
    // Nodes of the version before go on storing Responses without counting them. An hour later, wrong counts are made again.
    ...onPostgres(
      'update accounts set recount_at = (extract(epoch from now()) * 1000)::bigint + 3600000 where recount_at is null',
    ),
  ];
}
