import type { BackupTarget } from '../settings/read-backup-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { FolderStore } from './folder-store.ts';
import { S3Store } from './s3-store.ts';

export interface StoredFile {
  name: string;
  bytes: number;
}

/** What a folder is used for. It is recognized by a file that it has already. */
export interface FolderUse {
  /** An empty file by which the folder is recognized, also after its files were moved elsewhere. */
  marker: string;
  /** What is kept there, and the command that begins to use the folder. */
  what: string;
  command: (folder: string) => string;
  matches: (name: string) => boolean;
}

/** Where scheduled backups, or exported files, are kept. */
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

export function openStore(
  target: BackupTarget,
  { s3, data }: Pick<Settings, 's3' | 'data'>,
  use?: FolderUse,
): BackupStore {
  return 'folder' in target ? new FolderStore(target.folder, use) : new S3Store(target, s3, data);
}

/** How people write the place. */
export function describeTarget(to: BackupTarget): string {
  return 'folder' in to ? to.folder : ['s3:/', to.bucket, to.prefix].filter((part) => part !== '').join('/');
}
