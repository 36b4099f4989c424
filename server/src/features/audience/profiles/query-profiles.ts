import type { Filter, GroupOp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { Within } from '../../../db/pagination/chunk-size.ts';
import { buildCondition } from '../filters/build-condition.ts';
import { selectProfiles } from '../filters/select-profiles.ts';

/** Selects the profiles of a Segment, the profiles that match filters, or the profiles of a Segment that match filters. */
export interface ProfileQuery {
  segment_id?: string;
  filters?: Filter[];
  filters_op: GroupOp;
}

export function buildProfileCondition(ctx: Context, { segment_id, filters = [], filters_op }: ProfileQuery) {
  const all: Filter[] = [
    ...(segment_id === undefined ? [] : [{ kind: 'segment' as const, op: 'ex' as const, value: segment_id }]),
    { kind: 'group', filters, filters_op },
  ];
  return buildCondition(ctx, all, 'and');
}

/** Builds a query, which may take long, of all profiles or of a chunk of them. */
export async function queryProfiles(ctx: Context, params: ProfileQuery) {
  const { condition, segment } = await buildProfileCondition(ctx, params);
  const scope = { accountId: ctx.account.id, dialect: ctx.dialect, now: ctx.now(), segment };
  return (within?: Within) => selectProfiles(ctx, condition, { ...scope, within });
}
