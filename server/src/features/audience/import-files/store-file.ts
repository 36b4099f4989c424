import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type CsvDelimiter, CsvReader, type CsvRecord, findDelimiter, isBlank, nameColumns } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { ApiError, invalid, tooLarge } from '../../../errors.ts';
import type { UploadedFile } from '../../../http/route.ts';
import { takeBreaks } from '../../../take-breaks.ts';
import { deleteFile } from './delete-file.ts';

declare module '../../../context.ts' {
  interface AppContext {
    /** How many bytes the files of imports of an account may have together, while they are stored. 0 means no limit. */
    readonly importBytes: number;
  }
}

export const MAX_IMPORT_FILE = 200_000_000;
const READ_BYTES = 64 * 1024;
const PIECE_CHARACTERS = 48 * 1024;
const PIECES_PER_WRITE = 8;

export interface StoredFile {
  file_id: string;
  head_columns: string[];
  delimiter: CsvDelimiter;
  data_size: number;
  rows_count: number;
}

interface Piece {
  position: number;
  first_record: number;
  text: string;
}

/**
 * Reads a whole CSV file, and stores its rows in pieces. Large files take many transactions, so the import refers to the file
 * only when all of it is stored. If that never happens, the pieces are removed by the sweep.
 */
export async function storeFile(ctx: Context, uploads: readonly UploadedFile[]): Promise<StoredFile> {
  const [upload] = uploads;
  if (!upload || uploads.length > 1) throw invalid('`file` must be one CSV file');
  const { size } = await stat(upload.path);
  if (size > MAX_IMPORT_FILE)
    throw tooLarge(`${upload.name} is larger than ${MAX_IMPORT_FILE / 1_000_000} MB: split it into several files`);
  await checkStorage(ctx, size);
  const file_id = ctx.newId();
  try {
    return { file_id, data_size: size, ...(await storePieces(ctx, file_id, upload.path)) };
  } catch (error) {
    await deleteFile(ctx, file_id);
    throw error;
  }
}

async function storePieces(ctx: Context, fileId: string, path: string) {
  const takeBreak = takeBreaks();
  let pieces: Piece[] = [];
  let head: string[] | undefined;
  let delimiter: CsvDelimiter = ',';
  let reader: CsvReader | undefined;
  let piece: Piece | undefined;
  let records = 0;
  let rows = 0;
  let position = 0;
  const add = (record: CsvRecord) => {
    records += 1;
    if (!head) {
      if (!isBlank(record)) head = nameColumns(record.cells);
      return;
    }
    piece ??= { position: position++, first_record: records, text: '' };
    piece.text += record.text;
    if (!isBlank(record)) rows += 1;
    if (piece.text.length < PIECE_CHARACTERS) return;
    pieces.push(piece);
    piece = undefined;
  };
  for await (const { text, isEnd } of readTexts(path)) {
    if (!reader) {
      delimiter = findDelimiter(text.split(/[\r\n]+/).find((line) => line.trim() !== '') ?? '');
      reader = new CsvReader(delimiter);
    }
    const { records: found, problem } = reader.push(text, isEnd);
    for (const record of found) add(record);
    if (problem) throw invalid(`The file cannot be read: row ${problem.record} ${problem.problem}`);
    if (pieces.length >= PIECES_PER_WRITE) {
      await insertPieces(ctx, fileId, pieces);
      pieces = [];
    }
    await takeBreak();
  }
  if (piece) pieces.push(piece);
  if (!head) throw invalid('The file is empty: give a CSV file whose first row names its columns');
  if (rows === 0) throw invalid('The file has no rows below the names of its columns');
  await insertPieces(ctx, fileId, pieces);
  return { head_columns: head, delimiter, rows_count: rows };
}

/** Decodes the file part by part. */
async function* readTexts(path: string): AsyncGenerator<{ text: string; isEnd: boolean }> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (bytes?: Buffer) => {
    let text: string | undefined;
    try {
      text = bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch {}
    // UTF-16 has NUL characters in every English word.
    if (text === undefined || text.includes('\0')) throw notUtf8();
    return text;
  };
  for await (const bytes of createReadStream(path, { highWaterMark: READ_BYTES }) as AsyncIterable<Buffer>)
    yield { text: decode(bytes), isEnd: false };
  yield { text: decode(), isEnd: true };
}

function notUtf8(): ApiError {
  return invalid('The file is not UTF-8 text: save it as “CSV UTF-8” in your spreadsheet, and upload that file');
}

async function insertPieces(ctx: Context, file_id: string, pieces: readonly Piece[]): Promise<void> {
  if (pieces.length === 0) return;
  const account_id = ctx.account.id;
  const rows = pieces.map(({ text, ...piece }) => ({ account_id, file_id, ...piece, bytes: Buffer.from(text) }));
  ctx.app.disk.requireSpace();
  ctx.app.disk.noteBytes(rows.reduce((sum, { bytes }) => sum + bytes.length, 0));
  await ctx.transaction((ctx) => ctx.db.insertInto('import_pieces').values(rows).execute());
}

async function checkStorage({ app, db, account }: Context, added: number): Promise<void> {
  const max = app.importBytes;
  if (max === 0) return;
  const row = await db
    .selectFrom('imports')
    .select(({ fn }) => fn.sum<number>('data_size').as('size'))
    .where('account_id', '=', account.id)
    .where('file_id', 'is not', null)
    .executeTakeFirst();
  const used = Number(row?.size ?? 0);
  if (used + added <= max) return;
  throw new ApiError(413, [
    `The stored files of imports may have ${megabytes(max)} MB in this account, and have ${megabytes(used)} MB already: start or delete imports that wait, or ask the operator of this server to raise USHER_IMPORT_STORAGE`,
  ]);
}

const megabytes = (bytes: number) => Math.round(bytes / 100_000) / 10;
