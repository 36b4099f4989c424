import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { type ImportRow, importsOf } from '../import-files/import-rows.ts';

export async function getImport(ctx: Context, id: string, lock = false): Promise<ImportRow> {
  const query = importsOf(ctx).where('id', '=', id);
  const row = await (lock ? ctx.dialect.lockRows(query) : query).executeTakeFirst();
  if (!row) throw notFound('import');
  return row;
}
