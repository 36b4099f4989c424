import type { Filter, GroupOp } from '@usher/domain';
import type { Context } from '../../context.ts';
import { asksCompany, conditionSql } from '../segments/condition-sql.ts';
import { askedCondition } from '../segments/queries.ts';

/** Which profiles are meant: those of a Segment, those that filters fit, or both. */
export interface ProfileQuery {
  segment_id?: string;
  filters?: Filter[];
  filters_op: GroupOp;
}

/** A query for them, that may take long. Companies are joined only when they are asked for: PostgreSQL then need not. */
export async function queryProfiles(ctx: Context, { segment_id, filters = [], filters_op }: ProfileQuery) {
  const asked: Filter[] = [
    ...(segment_id === undefined ? [] : [{ kind: 'segment' as const, op: 'ex' as const, value: segment_id }]),
    { kind: 'group', filters, filters_op },
  ];
  const { condition, segment } = await askedCondition(ctx, asked, 'and');
  const query = ctx.heavyDb
    .selectFrom('profiles')
    .where('profiles.account_id', '=', ctx.account.id)
    .where(conditionSql(condition, { accountId: ctx.account.id, json: ctx.dialect.json, now: ctx.now(), segment }));
  if (!asksCompany(condition, segment)) return query;
  return query.leftJoin('companies', (join) =>
    join.onRef('companies.account_id', '=', 'profiles.account_id').onRef('companies.id', '=', 'profiles.company_id'),
  ) as unknown as typeof query;
}
