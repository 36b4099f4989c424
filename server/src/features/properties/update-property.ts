import type { Property, UpdateProperty } from '@usher/domain';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { presentProperty, propertiesOf } from './queries.ts';

/** The key never changes, because data is stored under it. */
export async function updateProperty(ctx: Context, id: string, params: UpdateProperty): Promise<Property> {
  return ctx.transaction(async (ctx) => {
    const before = await ctx.dialect.lockRows(propertiesOf(ctx).where('id', '=', id)).executeTakeFirst();
    if (!before) throw notFound('Property');
    const keys = Object.keys(params) as (keyof UpdateProperty)[];
    if (keys.every((key) => before[key] === params[key])) return presentProperty(before);
    const row = await ctx.db
      .updateTable('properties')
      .set({ ...params, updated_at: ctx.now() })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return presentProperty(row);
  });
}
