import type { Millis, MoveStage } from '@usher/domain';
import type { Context } from '../../../context.ts';

/** The `updated_at` that an import has written; undefined if the record did not come with an import. */
export async function findWritten(ctx: Context, stage: MoveStage, record_id: string): Promise<Millis | undefined> {
  const row = await ctx.db
    .selectFrom('moved_settings')
    .select('updated_at')
    .where('account_id', '=', ctx.account.id)
    .where('stage', '=', stage)
    .where('record_id', '=', record_id)
    .executeTakeFirst();
  return row?.updated_at;
}

/** Records the `updated_at` that the import has written: it stays until somebody edits the record here. */
export async function rememberWritten(
  ctx: Context,
  stage: MoveStage,
  record_id: string,
  updated_at: Millis,
): Promise<void> {
  await ctx.db
    .insertInto('moved_settings')
    .values({ account_id: ctx.account.id, stage, record_id, updated_at })
    .onConflict((known) => known.columns(['account_id', 'stage', 'record_id']).doUpdateSet({ updated_at }))
    .execute();
}
