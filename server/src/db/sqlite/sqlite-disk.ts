import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DiskFigures } from '../storage.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

export async function readSqliteDisk(file: string, connection: SqliteConnection): Promise<DiskFigures> {
  const [disk, logBytes] = await Promise.all([statfs(dirname(file)), sizeOf(`${file}-wal`)]);
  await connection.paused;
  const [unused] = connection.query<{ freelist_count: number }>('pragma freelist_count', []);
  const [page] = connection.query<{ page_size: number }>('pragma page_size', []);
  return {
    freeBytes: disk.bavail * disk.bsize,
    reusableBytes: (unused?.freelist_count ?? 0) * (page?.page_size ?? 0),
    logBytes,
  };
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}
