import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Makes what was written to a file, or the names in a folder, survive a power failure. */
export function syncPath(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
