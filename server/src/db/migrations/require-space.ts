import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { sql } from 'kysely';
import type { Db } from '../schema.ts';

/**
 * Throws if SQLite has no space to write these tables again. All migrations of an update are one transaction: until the commit, the new
 * rows and the emptied pages of the old ones are in the write-ahead log, and then in the file too.
 */
export async function requireSpace(db: Db, tables: readonly string[], freeBytes = freeBytesIn): Promise<void> {
  const { rows } = await sql<{ bytes: number | null }>`select sum(pgsize) as bytes from dbstat where aggregate = true
    and name in (select name from sqlite_schema where tbl_name in (${sql.join(tables)}))`.execute(db);
  const { rows: files } = await sql<{
    file: string;
  }>`select file from pragma_database_list where name = 'main'`.execute(db);
  const needed = 3 * (rows[0]?.bytes ?? 0);
  const free = freeBytes(dirname(files[0]?.file ?? ''));
  if (free >= needed) return;
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`;
  const message = `the database is not updated, because the disk has too little space: ${megabytes(needed)} are needed for a while, and ${megabytes(free)} are free. Free some space, or move the backup that the update has made (the file that ends with .before-update) to another disk and start with USHER_BACKUP_BEFORE_UPDATE=false`;
  // With a code, the message is shown without a trace.
  throw Object.assign(new Error(message), { code: 'SQLITE_FULL' });
}

function freeBytesIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
