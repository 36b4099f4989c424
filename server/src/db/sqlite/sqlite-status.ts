import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { StorageStatus } from '../storage.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

export async function readSqliteStatus(file: string, connection: SqliteConnection): Promise<StorageStatus> {
  await connection.paused;
  const [row] = connection.query<{ version: string }>('select sqlite_version() as version', []);
  const sizes = await Promise.all(
    [file, `${file}-wal`].map((one) =>
      stat(one).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  const disk = await statfs(dirname(file));
  return {
    engine: 'sqlite',
    version: row?.version ?? '',
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    freeDiskBytes: disk.bavail * disk.bsize,
    connections: null,
  };
}
