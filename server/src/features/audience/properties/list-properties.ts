import type { ListProperties, Property } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { presentProperty } from './present-property.ts';

/** Lists all Properties of a kind, most recent first. By `last_seen_at`, Properties that were never seen come last. */
export async function listProperties(
  ctx: Context,
  { kind, integration, order, hidden }: ListProperties,
): Promise<Property[]> {
  await ctx.app.propertyRegistry.flush(ctx.account.id);
  let query = ctx.db
    .selectFrom('properties')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('kind', '=', kind)
    .where('hidden', '=', hidden);
  if (integration !== undefined) query = query.where('integration', '=', integration);
  if (order === 'last_seen_at') query = query.orderBy(sql`coalesce(last_seen_at, -1)`, 'desc');
  return (await query.orderBy('id', 'desc').execute()).map(presentProperty);
}
