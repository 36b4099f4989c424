import { type Custom, type PropertyKind, typeOfValue, type Value } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';

/** The properties of one record, in the order of their names. */
export async function presentProperties(
  ctx: Context,
  kind: PropertyKind,
  custom: Custom,
): Promise<{ prop: string; name: string; value: Value; type: string }[]> {
  const props = Object.keys(custom);
  if (props.length === 0) return [];
  const rows = await ctx.db
    .selectFrom('properties')
    .select(['prop', 'name'])
    .where('account_id', '=', ctx.account.id)
    .where('kind', '=', kind)
    .where(ctx.dialect.json.isAmong(sql.ref('prop'), JSON.stringify(props)))
    .execute();
  const names = new Map(rows.map(({ prop, name }) => [prop, name]));
  return Object.entries(custom)
    .map(([prop, value]) => ({ prop, name: names.get(prop) ?? prop, value, type: typeOfValue(value) }))
    .sort((one, other) => one.name.localeCompare(other.name, 'en') || (one.prop < other.prop ? -1 : 1));
}
