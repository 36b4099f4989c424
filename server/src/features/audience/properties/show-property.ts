import type { Property } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { presentProperty } from './present-property.ts';
import { propertiesOf } from './queries.ts';

export async function showProperty(ctx: Context, id: string): Promise<Property> {
  await ctx.app.propertyRegistry.flush(ctx.account.id);
  const row = await propertiesOf(ctx).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('Property');
  return presentProperty(row);
}
