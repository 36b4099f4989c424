import { type Stats, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Setup } from '../../../context.ts';
import type { FileFacts } from './setup-facts.ts';

const OTHERS = 0o077;
const GROUP_READS = 0o040;
const STICKY = 0o1000;
/** Containers get their secrets here, readable for every user in the container. */
const CONTAINER_SECRETS = '/run/secrets/';

/**
 * Checks the modes and owners of the data folder, the database and the master key. Findings name files without folders.
 */
export function inspectFiles(
  { data, sqliteFile, masterKey }: Pick<Setup, 'data' | 'sqliteFile' | 'masterKey'>,
  user = process.getuid?.(),
  group = process.getgid?.(),
): FileFacts {
  const files = [data, sqliteFile, `${sqliteFile}-wal`, ...(masterKey.keys ? [] : [masterKey.file])];
  const facts: FileFacts = { open: [], foreign: [] };
  for (const file of new Set(files)) {
    const found = look(file);
    if (!found || file.startsWith(CONTAINER_SECRETS)) continue;
    // A sticky folder, such as /tmp, is shared on purpose: then the files protect themselves.
    const isShared = found.isDirectory() && (found.mode & STICKY) !== 0;
    const name = found.isDirectory() ? 'the data folder' : basename(file);
    // deploy.md recommends this: the server reads the key by its group, and cannot change it.
    const isGivenByRoot = file === masterKey.file && found.uid === 0 && found.gid === group;
    const open = found.mode & OTHERS & (isGivenByRoot ? ~GROUP_READS : OTHERS);
    if (open !== 0 && !isShared && (!found.isDirectory() || found.uid === user)) facts.open.push(name);
    if (user !== undefined && user !== 0 && found.uid !== user && !isGivenByRoot) facts.foreign.push(name);
  }
  return facts;
}

function look(file: string): Stats | undefined {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}
