import { createdAtOf, type Millis } from '@usher/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { withoutTestUsers } from '../../audience/profiles/without-test-users.ts';

/** Somebody who saw an Experience, and since when. */
export interface Reached {
  /** Of the Interaction. */
  id: string;
  profile_id: string;
  from_at: Millis;
}

/** Everybody who saw an Experience, by their Interactions, without test users. */
export function reachedBy({ heavyDb, account }: Pick<Context, 'heavyDb' | 'account'>, experienceId: string) {
  return heavyDb
    .selectFrom('interactions')
    .where('interactions.account_id', '=', account.id)
    .where('interactions.experience_id', '=', experienceId)
    .where((eb) => eb.or([eb('displayed_at', 'is not', null), eb('started_at', 'is not', null)]))
    .where(withoutTestUsers(account.id, 'interactions.profile_id'));
}

/** An Interaction is created when its user sees the Experience first. */
export function toReached(row: { id: string; profile_id: string; created_at: Millis | null }): Reached {
  const created_at = row.created_at === null ? null : Number(row.created_at);
  return { id: row.id, profile_id: row.profile_id, from_at: createdAtOf({ id: row.id, created_at }) };
}

/** These people as a relation for `goalSql`. */
export function peopleSql({ dialect }: Pick<Context, 'dialect'>, people: readonly Reached[]): RawBuilder<unknown> {
  const list = JSON.stringify(people.map(({ profile_id, from_at }) => [profile_id, from_at]));
  return dialect.engine === 'sqlite'
    ? sql`select item.value ->> 0 as profile_id, item.value ->> 1 as from_at from json_each(${list}) as item`
    : sql`select (item ->> 0) collate "C" as profile_id, (item ->> 1)::bigint as from_at
        from jsonb_array_elements(${list}::jsonb) as item`;
}
