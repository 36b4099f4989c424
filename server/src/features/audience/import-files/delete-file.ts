import type { Context } from '../../../context.ts';

const PIECES_PER_DELETE = 50;

/** Deletes the pieces of a file that no import refers to. There can be thousands, so each transaction deletes some. */
export async function deleteFile(ctx: Pick<Context, 'db' | 'account' | 'transaction'>, fileId: string): Promise<void> {
  for (;;) {
    const rows = await ctx.db
      .selectFrom('import_pieces')
      .select('position')
      .where('account_id', '=', ctx.account.id)
      .where('file_id', '=', fileId)
      .orderBy('position')
      .limit(PIECES_PER_DELETE)
      .execute();
    if (rows.length === 0) return;
    const positions = rows.map(({ position }) => position);
    await ctx.transaction((ctx) =>
      ctx.db
        .deleteFrom('import_pieces')
        .where('account_id', '=', ctx.account.id)
        .where('file_id', '=', fileId)
        .where('position', 'in', positions)
        .execute(),
    );
  }
}
