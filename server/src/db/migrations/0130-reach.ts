import type { ColumnTypes } from './migration.ts';

const kinds = ['tour', 'survey', 'launcher', 'tooltip', 'embed'];

/**
 * What users did with any Experience, and with any of a kind, so that a person counts once across Experiences; by when people first tracked an
 * event; and reports that administrators save. Where activities were deleted because of their age, earlier days stay unknown.
 */
export function reach({ id, time, json, onPostgres }: ColumnTypes): string[] {
  const scopes = ['all', ...kinds.map((kind) => `all-${kind}`)].map((scope) => `select '${scope}' as id`);
  return [
    // A day that a row names as its previous one is a day, also when its own row was deleted.
    `insert into activities (account_id, profile_id, experience_id, what, part_id, day, previous_day, url_group_id)
      select account_id, profile_id, experience_id, what, '', day, previous_day, url_group_id
      from (
        select account_id, profile_id, experience_id, what, day, is_row, url_group_id, coalesce(lag(day) over (
          partition by account_id, profile_id, experience_id, what order by day), -1) as previous_day
        from (
          select account_id, profile_id, experience_id, what, day, max(is_row) as is_row, max(url_group_id) as url_group_id
          from (
            select a.account_id, a.profile_id, scope.id as experience_id, a.what, a.day, 1 as is_row, a.url_group_id
            from activities as a
            join experiences as e on e.account_id = a.account_id and e.id = a.experience_id
            join (${scopes.join(' union all ')}) as scope on scope.id in ('all', 'all-' || e.kind)
            where a.what in ('shown', 'started', 'completed') and a.part_id = ''
            union all
            select a.account_id, a.profile_id, scope.id, a.what, a.previous_day, 0, ''
            from activities as a
            join experiences as e on e.account_id = a.account_id and e.id = a.experience_id
            join (${scopes.join(' union all ')}) as scope on scope.id in ('all', 'all-' || e.kind)
            where a.what in ('shown', 'started', 'completed') and a.part_id = '' and a.previous_day >= 0
          ) as done
          group by account_id, profile_id, experience_id, what, day
        ) as known
      ) as chained
      where is_row = 1`,
    `insert into activity_counts (account_id, experience_id, day, what, part_id, previous_day,
        language, device, url_group_id, variant, count)
      select a.account_id, a.experience_id, a.day, a.what, '', a.previous_day, '', '', a.url_group_id, '', cast(count(*) as integer)
      from activities as a join profiles on profiles.account_id = a.account_id and profiles.id = a.profile_id
      where a.experience_id in (${['all', ...kinds.map((kind) => `all-${kind}`)].map((scope) => `'${scope}'`).join(', ')})
        and not profiles.is_test
      group by a.account_id, a.experience_id, a.day, a.what, a.previous_day, a.url_group_id`,
    'create index profile_events_by_first on profile_events (account_id, name, first_at)',
    `create table reports (
      account_id ${id} not null,
      id ${id} not null,
      created_at ${time},
      updated_at ${time} not null,
      name text not null,
      description text,
      kind text not null,
      params ${json} not null,
      primary key (account_id, id)
    )`,
    // Nodes of the version before go on for a while without storing what users did with any Experience.
    ...onPostgres(
      'update accounts set recount_at = cast(extract(epoch from now()) * 1000 as bigint) + 3600000 where recount_at is null',
    ),
  ];
}
