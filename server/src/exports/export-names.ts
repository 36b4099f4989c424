import type { FolderUse } from '../backup/store.ts';
import type { ExportFormat } from '../settings/read-export-settings.ts';
import { exportTables, testUsers } from './export-tables.ts';

interface FileOf {
  table: string;
  accountId: string;
  format: ExportFormat;
}

const tables = exportTables.map(({ name }) => name).join('|');
const numbered = new RegExp(`^usher-(${tables})-([\\da-f]{24})-\\d{8,}\\.(parquet|csv)$`);

/** The names of exported files. In the order of their names, the files of a table are in the order of their numbers. */
export const exportNames = {
  create: ({ table, accountId, format, number }: FileOf & { number: number }): string =>
    `usher-${table}-${accountId}-${String(number).padStart(8, '0')}.${format}`,
  createSnapshot: ({ table, accountId, format }: FileOf): string => `usher-${table}-${accountId}.${format}`,
  matches: (name: string): boolean => numbered.test(name),
  isOf: (name: string, accountId: string): boolean => numbered.exec(name)?.[2] === accountId,
};

/** How a folder for exported files is recognized. */
export const folderUse: FolderUse = {
  marker: '.usher-exports',
  what: 'export',
  command: () => 'usher export',
  matches: (name) => exportNames.matches(name) || name.startsWith(`usher-${testUsers.name}-`),
};
