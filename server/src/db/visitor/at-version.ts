import type { Expression, ExpressionBuilder } from 'kysely';
import type { Schema } from '../schema.ts';

/** A condition: nothing was published since this version, so what the page load has in memory is still right. */
export function isAtVersion(account: string, version: Expression<never>) {
  return (eb: ExpressionBuilder<Schema, 'profiles'>) => {
    const current = eb
      .selectFrom('published_versions')
      .select('version')
      .where('published_versions.account_id', '=', account);
    return eb(eb.fn.coalesce(current, eb.lit(0)), '=', version);
  };
}
