import { closeSync, openSync, statfsSync, writeSync } from 'node:fs';

const MEGABYTE = 1_000_000;

/**
 * Writes a file until only so many bytes are free.
 * @param {string} filler
 * @param {string} folder
 * @param {number} freeBytes
 */
export function fillUntil(filler, folder, freeBytes) {
  const file = openSync(filler, 'a');
  try {
    for (;;) {
      const { bavail, bsize } = statfsSync(folder);
      const missing = bavail * bsize - freeBytes;
      if (missing <= 0) return;
      writeSync(file, Buffer.alloc(Math.min(missing, MEGABYTE)));
    }
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}
