import type { Condition } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { type ConditionScope, conditionSql, usesCompany } from './condition-sql.ts';

/** The profiles that meet a condition. Companies are joined only if the condition needs them, because the join is slow. */
export function selectProfiles(
  { heavyDb, account }: Pick<Context, 'heavyDb' | 'account'>,
  condition: Condition,
  scope: ConditionScope & { segment(id: string): Condition },
  isWithCompany = usesCompany(condition, scope.segment),
) {
  const query = heavyDb
    .selectFrom('profiles')
    .where('profiles.account_id', '=', account.id)
    .where(conditionSql(condition, scope));
  return query.$if(isWithCompany, (all) =>
    all.leftJoin('companies', (join) =>
      join.onRef('companies.account_id', '=', 'profiles.account_id').onRef('companies.id', '=', 'profiles.company_id'),
    ),
  );
}
