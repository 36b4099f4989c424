import { accessSync, constants, statfsSync } from 'node:fs';

const FOLDER = '/dev/shm';
const TMPFS = 0x01021994;
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * Returns a folder whose files are in memory, if there is one with enough room. Tests make and delete thousands of files, which
 * takes a disk long.
 * @returns {string | undefined}
 */
export function findMemoryFolder() {
  try {
    const { type, bavail, bsize } = statfsSync(FOLDER);
    accessSync(FOLDER, constants.W_OK);
    return type === TMPFS && bavail * bsize >= NEEDED_BYTES ? FOLDER : undefined;
  } catch {
    // Only Linux has it.
    return undefined;
  }
}
