import type { Import } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { deleteFile } from '../import-files/delete-file.ts';
import { presentImport } from './present-import.ts';
import { getImport } from './queries.ts';

/** Deletes an import with its file and the rows that failed. If it runs, it stops. What it has stored stays. */
export async function deleteImport(ctx: Context, id: string): Promise<Import> {
  const row = await ctx.transaction(async (ctx) => {
    const row = await getImport(ctx, id, true);
    const { account } = ctx;
    await ctx.db.deleteFrom('imports').where('account_id', '=', account.id).where('id', '=', id).execute();
    for (const table of ['import_failures', 'import_queue'] as const)
      await ctx.db.deleteFrom(table).where('account_id', '=', account.id).where('import_id', '=', id).execute();
    await recordAudit(ctx, 'import.delete', { type: 'import', id }, { kind: row.kind, model_kind: row.model_kind });
    return row;
  });
  if (row.file_id !== null) await deleteFile(ctx, row.file_id);
  return presentImport(ctx, row);
}
