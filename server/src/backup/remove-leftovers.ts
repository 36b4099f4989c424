import { randomBytes } from 'node:crypto';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** What a process that was killed has left of a backup. One that is being written changes all the time. */
const leftover = /^\.usher-[\da-f]{12}\.part(-journal)?$|^usher\.db\.(upload|download)-[\da-f]{12}$/;
const LEFTOVER_AGE_MS = 60 * 60_000;

/** The folder may be one that others use too, so the name is one that only Usher gives. */
export function nameUnfinished(): string {
  return `.usher-${randomBytes(6).toString('hex')}.part`;
}

export function isLeftover(name: string): boolean {
  return leftover.test(name);
}

export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter(isLeftover)) {
    const file = join(folder, name);
    const found = await lstat(file).catch(() => undefined);
    if (found?.isFile() && found.mtimeMs < Date.now() - LEFTOVER_AGE_MS) await rm(file, { force: true });
  }
}
