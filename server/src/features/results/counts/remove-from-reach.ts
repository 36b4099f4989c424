import { reachMeasures, reachScopes, removeReach } from '@usher/domain';
import { PreparedStatement } from '../../../db/prepared-statement.ts';
import { addCounts, type CountRow, type CountsContext } from './use-counts.ts';

interface Gone {
  profile_id: string;
  what: string;
  day: number;
}

const key = { profile_id: 'text', experience_id: 'text', what: 'text', day: 'integer' } as const;

const deleteRows = new PreparedStatement<never, 'rows'>(
  ({ json }) => `
    delete from activities where account_id = :account and part_id = '' and (profile_id, experience_id, what, day) in (
      select item.profile_id, item.experience_id, item.what, item.day from ${json.table(':rows', key)} as item)`,
);

const changeRows = new PreparedStatement<never, 'rows'>(
  ({ json }) => `
    update activities set previous_day = item.previous_day, at = item.at, url_group_id = item.url_group_id
    from ${json.table(':rows', { ...key, previous_day: 'integer', at: 'bigint', url_group_id: 'text' })} as item
    where account_id = :account and activities.profile_id = item.profile_id and activities.part_id = ''
      and activities.experience_id = item.experience_id and activities.what = item.what and activities.day = item.day`,
);

/** After activities of a deleted Experience are gone: the days on which their users did the same with no other one are no days of the reach. */
export async function removeFromReach(ctx: CountsContext, gone: readonly Gone[]): Promise<void> {
  const ids = [...new Set(gone.map(({ profile_id }) => profile_id))];
  if (ids.length === 0) return;
  const rows = await ctx.db
    .selectFrom('activities as a')
    .innerJoin('profiles', (join) =>
      join.onRef('profiles.account_id', '=', 'a.account_id').onRef('profiles.id', '=', 'a.profile_id'),
    )
    .leftJoin('experiences', (join) =>
      join.onRef('experiences.account_id', '=', 'a.account_id').onRef('experiences.id', '=', 'a.experience_id'),
    )
    .select(['a.profile_id', 'a.experience_id', 'a.what', 'a.day', 'a.previous_day', 'a.at', 'a.url_group_id'])
    .select(['experiences.kind', 'profiles.is_test'])
    .where('a.account_id', '=', ctx.account.id)
    .where('a.profile_id', 'in', ids)
    .where('a.part_id', '=', '')
    .where('a.what', 'in', reachMeasures)
    .where((eb) => eb.or([eb('experiences.id', 'is not', null), eb('a.experience_id', 'in', reachScopes)]))
    .execute();
  const counts: CountRow[] = [];
  const removed: unknown[][] = [];
  const changed: unknown[][] = [];
  for (const profile_id of ids) {
    const own = rows.filter((row) => row.profile_id === profile_id);
    const changes = removeReach(
      own,
      gone.filter((one) => one.profile_id === profile_id),
    );
    const isTest = own.some(({ is_test }) => is_test);
    const count = (row: (typeof changes.removed)[number], count: number) => {
      if (isTest) return;
      const { experience_id, what, day, previous_day, url_group_id } = row;
      const of = { language: '', device: '', url_group_id, variant: '' };
      counts.push({ experience_id, what, part_id: '', day, previous_day, ...of, count });
    };
    for (const row of changes.removed) {
      removed.push([profile_id, row.experience_id, row.what, row.day]);
      count(row, -1);
    }
    for (const { before, after } of changes.changed) {
      const { experience_id, what, day, previous_day, at, url_group_id } = after;
      changed.push([profile_id, experience_id, what, day, previous_day, at, url_group_id]);
      count(before, -1);
      count(after, 1);
    }
  }
  if (removed.length > 0) await ctx.run(deleteRows, { rows: JSON.stringify(removed) });
  if (changed.length > 0) await ctx.run(changeRows, { rows: JSON.stringify(changed) });
  await addCounts(ctx, 'activity_counts', counts);
}
