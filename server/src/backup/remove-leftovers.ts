import { randomBytes } from 'node:crypto';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The files of an unfinished backup, which a killed process leaves behind. A file that is being written changes all the
 * time.
 */
const leftover = /^\.usher-[\da-f]{12}\.part(-journal)?$|^usher\.db\.(upload|download)-[\da-f]{12}$/;
const LEFTOVER_AGE_MS = 60 * 60_000;

/** Returns a name that only Usher gives, because others may use the folder too. */
export function nameUnfinished(): string {
  return `.usher-${randomBytes(6).toString('hex')}.part`;
}

export function isLeftover(name: string): boolean {
  return leftover.test(name);
}

/** Returns the size of the unfinished backup in a folder that was written to last; 0 if there is none. */
export async function sizeOfUnfinished(folder: string): Promise<number> {
  const found = await Promise.all((await readdir(folder)).filter(isLeftover).map((name) => lstat(join(folder, name))));
  return found.sort((one, other) => other.mtimeMs - one.mtimeMs)[0]?.size ?? 0;
}

export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter(isLeftover)) {
    const file = join(folder, name);
    const found = await lstat(file).catch(() => undefined);
    if (found?.isFile() && found.mtimeMs < Date.now() - LEFTOVER_AGE_MS) await rm(file, { force: true });
  }
}
