import { join } from 'node:path';

/** Where the rows are copied to. */
export const copyOf = (sqliteFile: string): string => `${sqliteFile}.compacting`;

/** The files in the data folder by which `usher compact` and the server talk. All are empty. */
export function compactSignals(folder: string) {
  return {
    /** Locked as long as the command runs, however it ends. */
    lock: join(folder, 'compact.lock'),
    /** From the command: is there a server that can do this? The server removes it. */
    hello: join(folder, 'compact.hello'),
    /** From the command: close the database file. The server then renames it to `released`. */
    request: join(folder, 'compact.request'),
    /** The server has closed the database file. The command removes it, and the server opens the file again. */
    released: join(folder, 'compact.released'),
  };
}
