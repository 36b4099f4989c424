import { type CreateProperty, normalizeKey, type Property } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { conflict, invalid } from '../../../errors.ts';
import { presentProperty } from './present-property.ts';

export async function createProperty(ctx: Context, { name, description, kind }: CreateProperty): Promise<Property> {
  const prop = normalizeKey(name);
  if (!/[\p{L}\p{N}]/u.test(prop)) throw invalid('`name` must have at least one letter or digit');
  return ctx.transaction(async (ctx) => {
    const row = await ctx.db
      .insertInto('properties')
      .values({
        ...(await ctx.clock()).newRow(),
        name,
        description,
        kind,
        prop,
        types: '[]',
        samples: '[]',
      })
      .onConflict((taken) => taken.columns(['account_id', 'kind', 'prop']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!row)
      throw conflict(`There is a ${kind} Property \`${prop}\` already: change that one, or choose another name`);
    return presentProperty(row);
  });
}
