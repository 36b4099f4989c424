import {
  CompanyInput,
  type CsvDelimiter,
  isBlank,
  isDeleteImport,
  ProfileInput,
  type ReadResult,
  toCompanyItem,
  toImportParams,
  toProfileItem,
} from '@usher/domain';
import { itemReader } from '../../../batches/run-batch.ts';
import type { Context } from '../../../context.ts';
import type { ImportRow } from '../import-files/import-rows.ts';
import { type FilePiece, readPiece } from '../import-files/read-piece.ts';
import type { ImportItem } from './apply-rows.ts';
import { DryRunMemory } from './dry-run-memory.ts';
import { type Chunk, type ChunkRow, runChunk } from './run-chunk.ts';
import type { ImportRun } from './run-import.ts';

const readers = {
  profile: itemReader(ProfileInput, toProfileItem),
  company: itemReader(CompanyInput, toCompanyItem),
};

/** Stores the next rows of the file. Returns whether there are no more. */
export async function runFileChunk(
  ctx: Context,
  run: ImportRun,
  row: ImportRow,
  size: number,
  began: number,
): Promise<boolean> {
  const piece = await findPiece(ctx, run, row);
  if (!piece) return runChunk(ctx, row, { rows: [], place: {}, isDone: true, began });
  const isByOne = isDeleteImport(row.kind) && row.model_kind === 'company' && !row.is_dry_run;
  const records = piece.records.slice(row.record, row.record + (isByOne ? 1 : size));
  const end = row.record + records.length;
  const isPieceDone = end >= piece.records.length;
  const rows = records.flatMap((record, index): ChunkRow[] => {
    if (isBlank(record)) return [];
    const { cells } = record;
    return [{ record: piece.firstRecord + row.record + index, cells, reading: readRow(cells, row, ctx.now()) }];
  });
  const place: Chunk['place'] = isPieceDone ? { piece: row.piece + 1, record: 0 } : { record: end };
  const also = isPieceDone ? (ctx: Context) => deletePiece(ctx, row) : undefined;
  if (row.is_dry_run) run.memory ??= new DryRunMemory();
  const { memory } = run;
  return runChunk(ctx, row, { rows, place, isDone: false, began, ...(also && { also }), ...(memory && { memory }) });
}

/** Reads the cells like the parameters of the endpoint for one profile or Company. */
function readRow(cells: readonly string[], row: ImportRow, now: number): ReadResult<ImportItem> {
  const columns = row.head_columns ?? [];
  if (cells.length > columns.length)
    return { problems: [`The row has ${cells.length} cells, but the file has ${columns.length} columns`] };
  const params = toImportParams(cells, columns, row.properties, row.kind, row.model_kind);
  return readers[row.model_kind](params, now);
}

/** Several chunks are read from one piece. It is read again after rows of forgotten users were removed from the file. */
async function findPiece(
  ctx: Context,
  run: ImportRun,
  { file_id, file_version, piece: position, delimiter }: ImportRow,
): Promise<FilePiece | undefined> {
  const key = `${file_id} ${file_version} ${position}`;
  if (run.piece?.key === key) return run.piece.piece;
  const piece = file_id === null ? undefined : await readPiece(ctx, file_id, position, delimiter as CsvDelimiter);
  if (piece) run.piece = { key, piece };
  return piece;
}

async function deletePiece({ db, account }: Context, { file_id, piece }: ImportRow): Promise<void> {
  await db
    .deleteFrom('import_pieces')
    .where('account_id', '=', account.id)
    .where('file_id', '=', file_id)
    .where('position', '=', piece)
    .execute();
}
