import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';

export type ImportRow = Selectable<Schema['imports']>;

export function importsOf({ db, account }: Pick<Context, 'db' | 'account'>) {
  return db.selectFrom('imports').selectAll().where('account_id', '=', account.id);
}

/** The first piece of the file that is still there: a dry run deletes none. */
export function firstPieceOf({ piece, is_dry_run }: Pick<ImportRow, 'piece' | 'is_dry_run'>): number {
  return is_dry_run ? 0 : piece;
}

/** Deletes the rows that failed. */
export async function deleteFailures({ db, account }: Pick<Context, 'db' | 'account'>, id: string): Promise<void> {
  await db.deleteFrom('import_failures').where('account_id', '=', account.id).where('import_id', '=', id).execute();
}

/**
 * Locks all imports of the account. A transaction that forgets profiles does this before it locks profiles, as a chunk of an
 * import locks its import first: so neither waits for the other.
 */
export function lockImports(ctx: Pick<Context, 'db' | 'account' | 'dialect'>): Promise<ImportRow[]> {
  return ctx.dialect.lockRows(importsOf(ctx).orderBy('id')).execute();
}
