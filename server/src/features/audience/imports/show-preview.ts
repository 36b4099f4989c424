import { type CsvDelimiter, type ImportPreview, isBlank, suggestMapping } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { firstPieceOf } from '../import-files/import-rows.ts';
import { readPiece } from '../import-files/read-piece.ts';
import { getImport } from './queries.ts';

const MAX_ROWS = 5;
/** A cell is cut to so many characters. */
const MAX_CELL = 200;

/** Shows the first rows of the file. There are none when the file is gone. */
export async function showPreview(ctx: Context, id: string): Promise<ImportPreview> {
  const row = await getImport(ctx, id);
  const { file_id, delimiter, head_columns, model_kind } = row;
  const columns = head_columns ?? [];
  const found =
    file_id === null ? undefined : await readPiece(ctx, file_id, firstPieceOf(row), delimiter as CsvDelimiter);
  const records = (found?.records ?? []).filter((record) => !isBlank(record)).slice(0, MAX_ROWS);
  const rows = records.map(({ cells }) =>
    columns.map((_, index) => (cells[index] ?? '').slice(0, MAX_CELL).toWellFormed()),
  );
  return { head_columns: columns, rows, properties: suggestMapping(columns, model_kind) };
}
