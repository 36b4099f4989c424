import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Within } from '../../../db/pagination/chunk-size.ts';
import { buildCondition } from './build-condition.ts';
import { selectProfiles } from './select-profiles.ts';

/** Selects the IDs of those who are in a Segment now and are no test users, within some users. */
export async function selectMembers(ctx: Context, segmentId: string): Promise<(within: Within) => RawBuilder<unknown>> {
  const { condition, segment } = await buildCondition(ctx, [{ kind: 'segment', op: 'ex', value: segmentId }], 'and');
  return (within) => {
    const scope = { accountId: ctx.account.id, dialect: ctx.dialect, now: ctx.now(), segment, within };
    const profiles = selectProfiles(ctx, condition, scope)
      .where(within(sql.ref('profiles.id')))
      .where('profiles.is_test', '=', false)
      .select('profiles.id');
    return sql`${profiles}`;
  };
}
