import type { BackupTarget } from '../settings/read-backup-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { FolderStore } from './folder-store.ts';
import { S3Store } from './s3-store.ts';

export interface StoredFile {
  name: string;
  bytes: number;
}

/** Where scheduled backups are kept. */
export interface BackupStore {
  /** Throws if the next backup could not be kept here. */
  check(): Promise<void>;
  list(): Promise<StoredFile[]>;
  /** Writes a backup with `make`, which fills a file. The backup is complete when the promise resolves. */
  save(name: string, make: (file: string) => Promise<unknown>): Promise<StoredFile>;
  /** Writes or replaces a small file. */
  saveText(name: string, content: string): Promise<void>;
  readText(name: string): Promise<string>;
  /** Copies a file to this machine. `bytes` is its size in the list. */
  fetchTo(name: string, file: string, bytes: number): Promise<void>;
  remove(name: string): Promise<void>;
  /** Makes all pending requests to a remote storage fail. */
  abort(): void;
}

export function openStore(target: BackupTarget, { s3, data }: Pick<Settings, 's3' | 'data'>): BackupStore {
  return 'folder' in target ? new FolderStore(target.folder) : new S3Store(target, s3, data);
}
