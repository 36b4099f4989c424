import type { Context } from '../../../context.ts';
import { conflict, notFound } from '../../../errors.ts';
import { type Named, type NameRow, nameById } from '../properties/update-name.ts';
import { listNameUses } from './list-name-uses.ts';

const MAX_LISTED = 10;

/**
 * Deletes a name, and no values: it is registered again when it is sent again. Uses are looked for before the transaction, because
 * that reads all Experiences. One that is added meanwhile works without the name.
 */
export async function deleteName(ctx: Context, { kinds, what }: Named, id: string): Promise<NameRow> {
  // Otherwise the values that wait in memory could bring it back.
  await ctx.app.propertyRegistry.flush(ctx.account.id);
  const name = await nameById(ctx, kinds, id).executeTakeFirst();
  if (!name) throw notFound(what);
  const uses = await listNameUses({ ...ctx, db: ctx.heavyDb }, name);
  if (uses.length > 0) {
    const more = uses.length > MAX_LISTED ? ' and others' : '';
    throw conflict(
      `This ${what} is used by ${uses.slice(0, MAX_LISTED).join(', ')}${more}: take it out of them first, and publish what is published`,
    );
  }
  const deleted = await ctx.transaction(async (ctx) => {
    // Transactions that register names take the clock before the rows, so this one does too.
    await ctx.clock();
    const deleted = await ctx.db
      .deleteFrom('properties')
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (!deleted) throw notFound(what);
    return deleted;
  });
  ctx.app.propertyRegistry.forget(ctx.account.id, deleted);
  return deleted;
}
