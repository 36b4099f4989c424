import { type CsvDelimiter, type CsvRecord, readRecords } from '@usher/domain';
import type { Context } from '../../../context.ts';

export interface FilePiece {
  firstRecord: number;
  records: CsvRecord[];
}

/** Reads one piece of a file. Undefined after the last one. */
export async function readPiece(
  { db, account }: Pick<Context, 'db' | 'account'>,
  fileId: string,
  position: number,
  delimiter: CsvDelimiter,
): Promise<FilePiece | undefined> {
  const row = await db
    .selectFrom('import_pieces')
    .select(['first_record', 'bytes'])
    .where('account_id', '=', account.id)
    .where('file_id', '=', fileId)
    .where('position', '=', position)
    .executeTakeFirst();
  return row && { firstRecord: row.first_record, records: readRecords(row.bytes.toString('utf8'), delimiter) };
}
