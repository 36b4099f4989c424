import { codeOf, messageOf } from '../error-code.ts';
/** A backup that cannot be made or restored for a reason that an operator can fix. It is printed in one line. */
export class BackupProblem extends Error {}

export class TooLittleSpace extends BackupProblem {}

const reasons: Record<string, string> = {
  ENOSPC: 'there is no space left on the disk',
  SQLITE_FULL: 'there is no space left on the disk',
  EDQUOT: 'there is no space left on the disk',
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  EROFS: 'the disk is read-only',
  ENOENT: 'the folder does not exist',
  ENOTDIR: 'it is no folder',
  SQLITE_BUSY: 'the database is locked by another program',
  SQLITE_NOTADB: 'the database file is no SQLite database',
  SQLITE_CORRUPT: 'the database file is damaged',
};

/** Describes an error of the system in words. */
export function describeProblem(error: unknown): string {
  return reasons[codeOf(error)] ?? messageOf(error);
}
