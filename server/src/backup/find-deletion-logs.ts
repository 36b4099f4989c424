import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The name of a deletion log, in the data folder or beside backups. */
export const isDeletionLog = (name: string) => /^forgotten[\w.-]*\.jsonl$/.test(name);

/** Lists the deletion logs in the folders of these files. */
export function findDeletionLogs(...files: string[]): string[] {
  const folders = [...new Set(files.map((file) => dirname(file)))];
  return folders.flatMap((folder) =>
    readdirSync(folder)
      .filter(isDeletionLog)
      .map((name) => join(folder, name)),
  );
}
