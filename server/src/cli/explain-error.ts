import { BackupProblem } from '../backup/errors.ts';
import { WorkerFailed } from '../cluster/worker-place.ts';
import { NewerSchema } from '../db/newer-schema.ts';
import { isPostgresReadOnly } from '../db/postgres/sql-state.ts';
import { FolderInUse } from '../db/sqlite/server-lock.ts';
import { ApiError } from '../errors.ts';
import { SourceFailure, SourceRejection } from '../features/install/moves/source.ts';
import { KeyProblem } from '../keys/master-key.ts';
import { WrongSetting } from '../settings/read-setting.ts';
import { CommandError, UsageError } from './errors.ts';

/** The errors whose messages say what to do. */
const fixableErrors = [
  UsageError,
  CommandError,
  WrongSetting,
  FolderInUse,
  KeyProblem,
  NewerSchema,
  BackupProblem,
  ApiError,
  WorkerFailed,
  SourceFailure,
  SourceRejection,
];

/** What to do about errors of the system and of the database, by what they say. */
const advice: [RegExp, string][] = [
  // With workers, the system's message begins with "bind" instead of "listen".
  [/^(listen|bind) EADDRINUSE/, 'stop the program that listens there, or set PORT to another port'],
  [
    /^(listen|bind) EACCES/,
    'this user may not listen there: set PORT to 1024 or more, and put a proxy in front. With USHER_DOMAIN, give the service the right to (CAP_NET_BIND_SERVICE)',
  ],
  [/^(listen|bind) EADDRNOTAVAIL/, 'this machine does not have the address: correct HOST'],
  [/^(connect|getaddrinfo) /, 'check DATABASE_URL, and that the database runs'],
  [
    /disk image is malformed|not a database/,
    'try again, if usher compact has just run. Otherwise the database file is damaged: usher restore replaces it by a backup',
  ],
];

/** Returns one clear line for an error that the user can fix, and the whole trace for a bug. */
export function explainError(error: unknown): string {
  if (error instanceof Error && fixableErrors.some((problem) => error instanceof problem)) return error.message;
  if (error instanceof AggregateError) return explainError(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  if (isPostgresReadOnly(error))
    return 'cannot start: the database can only be read: DATABASE_URL must lead to the primary';
  if (!('code' in error)) return error.stack ?? error.message;
  const [, next] = advice.find(([pattern]) => pattern.test(error.message)) ?? [];
  return `cannot start: ${error.message}${next === undefined ? '' : ` (${next})`}`;
}
