import type { Context } from '../../../context.ts';
import { streamCsv, toCsvRow } from '../../../http/csv.ts';
import type { FileResponse } from '../../../http/file-response.ts';
import { ROWS_PER_CHUNK } from '../../../http/stream-file.ts';
import { failuresOf } from '../import-files/remove-users.ts';
import { getImport } from './queries.ts';

/** Downloads the rows that failed, each with its number in the file and the reason. */
export async function downloadFailures(ctx: Context, id: string): Promise<FileResponse> {
  const { head_columns } = await getImport(ctx, id);
  return streamCsv(ctx, `import-${id}-errors.csv`, (ctx) => writeFailures(ctx, id, head_columns ?? []));
}

async function* writeFailures(ctx: Context, id: string, columns: readonly string[]): AsyncGenerator<string> {
  yield toCsvRow(['row', 'reason', ...columns]);
  for (let after = 0; ; ) {
    const rows = await failuresOf(ctx, id, after).limit(ROWS_PER_CHUNK).execute();
    for (const { record, reason, cells } of rows) yield toCsvRow([record, reason, ...JSON.parse(cells)]);
    const last = rows.at(-1);
    if (!last) return;
    after = last.record;
  }
}
