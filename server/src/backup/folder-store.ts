import { access, constants, copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { backupNames } from './backup-names.ts';
import { BackupProblem, describeProblem } from './errors.ts';
import { isLeftover } from './remove-leftovers.ts';
import type { BackupStore, FolderUse, StoredFile } from './store.ts';
import { writeBackup } from './write-backup.ts';

const forBackups: FolderUse = {
  marker: '.usher-backups',
  what: 'backup',
  command: (folder) => `usher backup --to ${folder}`,
  matches: backupNames.matches,
};

/**
 * Keeps backups in a folder. A folder without a backup or the marker is not used: it may be the mount point of a disk
 * that is not mounted, and the backups would fill another disk.
 */
export class FolderStore implements BackupStore {
  readonly #folder: string;
  readonly #use: FolderUse;

  constructor(folder: string, use = forBackups) {
    this.#folder = folder;
    this.#use = use;
  }

  /** Begins to use a folder, which is created if it does not exist. */
  async create(): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await this.#mark();
    } catch (error) {
      throw new BackupProblem(`the folder ${this.#folder} cannot be used: ${describeProblem(error)}`);
    }
  }

  async list(): Promise<StoredFile[]> {
    const files = (await this.#entries()).filter((entry) => entry.isFile() && !isLeftover(entry.name));
    return Promise.all(files.map(async ({ name }) => ({ name, bytes: (await stat(join(this.#folder, name))).size })));
  }

  async check(): Promise<void> {
    const names = (await this.#entries()).map(({ name }) => name);
    const { marker, matches, what } = this.#use;
    if (!names.some((name) => name === marker || matches(name)))
      throw new BackupProblem(`the folder ${this.#folder} has no ${what} of Usher yet: ${this.#advice}`);
    await access(this.#folder, constants.W_OK | constants.X_OK).catch((error) => {
      throw new BackupProblem(`nothing can be written to the folder ${this.#folder}: ${describeProblem(error)}`);
    });
  }

  async save(name: string, make: (file: string) => Promise<unknown>): Promise<StoredFile> {
    await this.check();
    const file = join(this.#folder, name);
    await make(file);
    await this.#mark();
    return { name, bytes: (await stat(file)).size };
  }

  async saveText(name: string, content: string): Promise<void> {
    await this.check();
    await writeBackup(join(this.#folder, name), { force: true }, (part) => writeFile(part, content));
  }

  readText(name: string): Promise<string> {
    return readFile(join(this.#folder, name), 'utf8');
  }

  fetchTo(name: string, file: string): Promise<void> {
    return copyFile(join(this.#folder, name), file);
  }

  remove(name: string): Promise<void> {
    return rm(join(this.#folder, name));
  }

  abort(): void {}

  get #advice(): string {
    return `mount its disk, or, if this is a new folder, run ${this.#use.command(this.#folder)} once`;
  }

  #entries() {
    return readdir(this.#folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT')
        throw new BackupProblem(`the folder ${this.#folder} does not exist: ${this.#advice}`);
      throw new BackupProblem(`the folder ${this.#folder} cannot be read: ${describeProblem(error)}`);
    });
  }

  #mark(): Promise<void> {
    return writeFile(join(this.#folder, this.#use.marker), '', { mode: 0o600 });
  }
}
