import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupProblem, describeProblem } from './errors.ts';
import { isLeftover } from './remove-leftovers.ts';
import type { BackupStore, StoredFile } from './store.ts';
import { writeBackup } from './write-backup.ts';

/** Keeps backups in a folder. */
export class FolderStore implements BackupStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async list(): Promise<StoredFile[]> {
    const entries = await readdir(this.#folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw new BackupProblem(`the folder ${this.#folder} cannot be read: ${describeProblem(error)}`);
    });
    const files = entries.filter((entry) => entry.isFile() && !isLeftover(entry.name));
    return Promise.all(files.map(async ({ name }) => ({ name, bytes: (await stat(join(this.#folder, name))).size })));
  }

  async save(name: string, make: (file: string) => Promise<unknown>): Promise<StoredFile> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = join(this.#folder, name);
    await make(file);
    return { name, bytes: (await stat(file)).size };
  }

  async saveText(name: string, content: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
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
}
