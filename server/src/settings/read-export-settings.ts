import { type BackupTarget, readBackupTarget, readS3 } from './read-backup-settings.ts';
import { readWhole, readWord, WrongSetting } from './read-setting.ts';

const HOUR_MS = 60 * 60_000;
const MAX_ROWS = 100_000_000;

const exportFormats = ['parquet', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Where, how often and how files for a warehouse are written. */
export interface ExportSettings {
  to: BackupTarget;
  everyMs: number;
  format: ExportFormat;
  /** How many rows a file has at most. */
  rowsPerFile: number;
}

/** Returns undefined if nothing is to be exported. */
export function readExport(env: NodeJS.ProcessEnv): ExportSettings | undefined {
  const every = readWhole('USHER_EXPORT_EVERY', env.USHER_EXPORT_EVERY, 'hours', 8760) ?? 24;
  const format = readWord('USHER_EXPORT_FORMAT', env.USHER_EXPORT_FORMAT, exportFormats) ?? 'parquet';
  const rowsPerFile = readWhole('USHER_EXPORT_ROWS', env.USHER_EXPORT_ROWS, 'rows', MAX_ROWS) ?? 1_000_000;
  const to = env.USHER_EXPORT_TO;
  if (!to) {
    if (env.USHER_EXPORT_EVERY || env.USHER_EXPORT_FORMAT || env.USHER_EXPORT_ROWS)
      throw new WrongSetting(
        'USHER_EXPORT_EVERY, USHER_EXPORT_FORMAT and USHER_EXPORT_ROWS need USHER_EXPORT_TO, a folder or s3://bucket/prefix',
      );
    return undefined;
  }
  return { to: readBackupTarget('USHER_EXPORT_TO', to, readS3(env)), everyMs: every * HOUR_MS, format, rowsPerFile };
}
