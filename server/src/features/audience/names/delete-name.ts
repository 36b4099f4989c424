import type { Context } from '../../../context.ts';
import { conflict, notFound } from '../../../errors.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { checkMayPublish } from '../../experiences/publish.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { lockSegments } from '../filters/segments.ts';
import { type Named, type NameRow, nameById } from '../properties/update-name.ts';
import { findLastChange, listNameUses } from './list-name-uses.ts';

const MAX_LISTED = 10;

/**
 * Deletes a name, and no values: the name is registered again when it is sent again. Uses are looked for before the transaction,
 * because that reads all Experiences, and again in the transaction among the Experiences that were changed meanwhile.
 */
export async function deleteName(ctx: Context, { kinds, what }: Named, id: string): Promise<NameRow> {
  // Otherwise the values that wait in memory could register the name again.
  await ctx.app.propertyRegistry.flush(ctx.account.id);
  const name = await nameById(ctx, kinds, id).executeTakeFirst();
  if (!name) throw notFound(what);
  const reader = { ...ctx, db: ctx.heavyDb };
  const last = await findLastChange(reader);
  rejectIfUsed(what, await listNameUses(reader, name));
  const deleted = await ctx.transaction(async (ctx) => {
    // Writes that add a use have locked the Segments, or have the clock for their Change, so they wait or are visible here.
    await lockSegments(ctx);
    // Transactions that register names take the clock before the rows, so this one does too.
    await ctx.clock();
    rejectIfUsed(what, await listNameUses(ctx, name, last));
    const deleted = await ctx.db
      .deleteFrom('properties')
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (!deleted) throw notFound(what);
    if (deleted.published_at !== null) {
      await checkMayPublish(ctx);
      await bumpPublishedVersion(ctx);
      await recordAudit(ctx, 'event_name.delete', { type: 'event_name', id }, { name: deleted.name });
    }
    return deleted;
  });
  ctx.app.propertyRegistry.forget(ctx.account.id, deleted);
  return deleted;
}

function rejectIfUsed(what: string, uses: readonly string[]): void {
  if (uses.length === 0) return;
  const more = uses.length > MAX_LISTED ? ' and others' : '';
  throw conflict(
    `This ${what} is used by ${uses.slice(0, MAX_LISTED).join(', ')}${more}: take it out of them first, and publish what is published`,
  );
}
