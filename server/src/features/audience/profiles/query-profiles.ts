import type { Filter, GroupOp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { buildCondition } from '../filters/build-condition.ts';
import { conditionSql, usesCompany } from '../filters/condition-sql.ts';

/** Selects the profiles of a Segment, the profiles that match filters, or the profiles of a Segment that match filters. */
export interface ProfileQuery {
  segment_id?: string;
  filters?: Filter[];
  filters_op: GroupOp;
}

/** Builds a query, which may take long. It joins Companies only if a filter needs them, because the join is slow. */
export async function queryProfiles(ctx: Context, { segment_id, filters = [], filters_op }: ProfileQuery) {
  const all: Filter[] = [
    ...(segment_id === undefined ? [] : [{ kind: 'segment' as const, op: 'ex' as const, value: segment_id }]),
    { kind: 'group', filters, filters_op },
  ];
  const { condition, segment } = await buildCondition(ctx, all, 'and');
  const query = ctx.heavyDb
    .selectFrom('profiles')
    .where('profiles.account_id', '=', ctx.account.id)
    .where(conditionSql(condition, { accountId: ctx.account.id, json: ctx.dialect.json, now: ctx.now(), segment }));
  return query.$if(usesCompany(condition, segment), (all) =>
    all.leftJoin('companies', (join) =>
      join.onRef('companies.account_id', '=', 'profiles.account_id').onRef('companies.id', '=', 'profiles.company_id'),
    ),
  );
}
