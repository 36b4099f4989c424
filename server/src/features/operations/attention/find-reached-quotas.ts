import { type AttentionEntry, dayOf, quotaNames, startOfDay, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';

const DAYS = 7;

/** The name of the rejection in the page counts, and the name of its quota in the API. */
const names = new Map<string, string>([
  ...quotaNames.map((name): [string, string] => [`${name}_quota`, name]),
  ['properties_limit', 'properties'],
]);

/** Finds the quotas that pages have exceeded in the last days, and how often. */
export async function findReachedQuotas(ctx: Context): Promise<AttentionEntry[]> {
  const rows = await ctx.db
    .selectFrom('page_counts')
    .select(({ fn }) => ['what', fn.sum<number>('count').as('count'), fn.min('day').as('first')])
    .where('account_id', '=', ctx.account.id)
    .where('day', '>', dayOf(ctx.now()) - DAYS)
    .where('what', 'in', [...names.keys()])
    .groupBy('what')
    .execute();
  return rows.map(({ what, count, first }) => ({
    type: 'quota_reached',
    severity: 'warning',
    since: toTimestamp(startOfDay(first)),
    count: Number(count),
    target: { type: 'quota', id: null, name: names.get(what) ?? what },
    step: null,
  }));
}
