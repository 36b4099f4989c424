import { FAILED_ROWS_KEPT_MS, firstIdAt, IMPORT_FILE_KEPT_MS } from '@usher/domain';
import type { AppContext } from '../../../context.ts';
import { anonymous, createContext } from '../../../create-context.ts';
import { forEachAccount } from '../../../db/for-each-account.ts';
import { deleteFile } from './delete-file.ts';
import { deleteFailures, importsOf } from './import-rows.ts';

/** An upload takes less. */
const UPLOAD_MS = 24 * 60 * 60_000;

/**
 * Deletes files of imports that nobody has started, or that have failed, for a week; rows that failed, after a month; and what
 * interrupted uploads have left.
 */
export async function sweepImports(app: AppContext): Promise<void> {
  await forEachAccount(app.storage, (id) => sweepAccount(app, id));
}

async function sweepAccount(app: AppContext, id: string): Promise<void> {
  const ctx = createContext(app, { account: { id }, actor: anonymous });
  const now = ctx.now();
  const rows = await importsOf(ctx).execute();
  for (const row of rows) {
    const isWaiting = row.import_at !== null && row.state !== 'error' && row.state !== 'completed';
    if (row.file_id !== null && !isWaiting && row.updated_at < now - IMPORT_FILE_KEPT_MS) {
      await ctx.transaction((ctx) =>
        ctx.db
          .updateTable('imports')
          .set({ file_id: null })
          .where('account_id', '=', id)
          .where('id', '=', row.id)
          .where('updated_at', '=', row.updated_at)
          .execute(),
      );
    }
    if (row.failed_count > 0 && !isWaiting && row.updated_at < now - FAILED_ROWS_KEPT_MS)
      await ctx.transaction((ctx) => deleteFailures(ctx, row.id));
  }
  const used = new Set((await importsOf(ctx).execute()).map(({ file_id }) => file_id));
  const files = await ctx.db
    .selectFrom('import_pieces')
    .select('file_id')
    .distinct()
    .where('account_id', '=', id)
    .execute();
  const recent = firstIdAt(now - UPLOAD_MS);
  const swept = new Set(rows.map(({ file_id }) => file_id));
  for (const { file_id } of files)
    if (!used.has(file_id) && (file_id < recent || swept.has(file_id))) await deleteFile(ctx, file_id);
}
