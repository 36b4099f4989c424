import type { Millis } from '@usher/domain';
import { BackupProblem } from '../backup/errors.ts';
import type { AppContext } from '../context.ts';
import type { Db } from '../db/storage.ts';
import type { ExportTable } from './export-tables.ts';

/** A file that a run is filling. */
export interface OpenFile {
  number: number;
  name: string;
  claim: string;
}

/** Another run has taken over: this one must not export any more. */
class LostClaim extends BackupProblem {
  constructor() {
    super('another export has taken over, because this one did not go on for minutes');
  }
}

/** Begins a file. Numbers are given once in an account, so that a file is never written with other rows. */
export async function openFile(
  { now }: Pick<AppContext, 'now'>,
  db: Db,
  accountId: string,
  { table, claim, nameOf }: { table: ExportTable; claim: string; nameOf: (number: number) => string },
): Promise<OpenFile> {
  const last = await db
    .selectFrom('export_files')
    .select(({ fn }) => fn.max('number').as('number'))
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const number = Number(last?.number ?? 0) + 1;
  const name = nameOf(number);
  await db
    .insertInto('export_files')
    .values({ account_id: accountId, number, table_name: table.name, name, claim, started_at: now() })
    .execute();
  return { number, name, claim };
}

/** Locks a file for a transaction that adds rows to it. Throws if another run has given it up. */
export async function holdFile({ storage }: AppContext, db: Db, accountId: string, file: OpenFile): Promise<void> {
  const query = db
    .selectFrom('export_files')
    .select(['claim', 'given_up_at', 'sealed_at'])
    .where('account_id', '=', accountId)
    .where('number', '=', file.number);
  const row = await storage.dialect.lockRows(query).executeTakeFirst();
  if (row?.claim !== file.claim || row.given_up_at !== null || row.sealed_at !== null) throw new LostClaim();
}

/** From now on no row gets the number of the file. Only then may it appear in the folder or bucket. */
export async function sealFile(
  app: AppContext,
  accountId: string,
  file: OpenFile,
  { rows, bytes }: { rows: number; bytes: number },
): Promise<void> {
  await app.storage.write(accountId, async (db) => {
    await holdFile(app, db, accountId, file);
    await updateFile(db, accountId, file.number, { sealed_at: app.now(), rows_count: rows, bytes });
  });
  // Without this, a power failure could take the numbers of the rows back after the file has appeared.
  await app.storage.syncToDisk();
}

export function noteWritten({ storage, now }: AppContext, accountId: string, number: number): Promise<void> {
  return storage.write(accountId, (db) => updateFile(db, accountId, number, { written_at: now() }));
}

/** Gives up a file that has not appeared. Its rows count as rows without a file. */
export function giveUpFile({ storage, now }: AppContext, accountId: string, number: number): Promise<void> {
  return storage.write(accountId, (db) => updateFile(db, accountId, number, { given_up_at: now() }));
}

export function listFiles({ storage }: Pick<AppContext, 'storage'>, accountId: string) {
  return storage
    .reader(accountId)
    .selectFrom('export_files')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('number')
    .execute();
}

async function updateFile(
  db: Db,
  accountId: string,
  number: number,
  values: Partial<Record<'sealed_at' | 'written_at' | 'given_up_at' | 'rows_count' | 'bytes', Millis | number>>,
): Promise<void> {
  await db
    .updateTable('export_files')
    .set(values)
    .where('account_id', '=', accountId)
    .where('number', '=', number)
    .execute();
}
