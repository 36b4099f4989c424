import { explainConnection } from '../db/connection-problem.ts';
import { codeOf, messageOf } from '../error-code.ts';
import { BackupProblem } from './errors.ts';

const keys = 'check USHER_S3_ACCESS_KEY and USHER_S3_SECRET_KEY';
const region = 'check USHER_S3_REGION and USHER_S3_ENDPOINT';

/** What to do about the errors that a wrong setting causes. */
const advice: Record<string, string> = {
  InvalidAccessKeyId: keys,
  SignatureDoesNotMatch: keys,
  AccessDenied: 'its keys need to list, read, write and delete in the bucket',
  NoSuchBucket: 'create the bucket, or correct USHER_BACKUP_TO or USHER_EXPORT_TO',
  NoSuchKey: 'usher backup list shows which backups are there',
  RequestTimeTooSkewed: 'the clock of this machine is wrong, set it by NTP',
  AuthorizationHeaderMalformed: region,
  PermanentRedirect: region,
  TemporaryRedirect: region,
};

export function rejected(status: number, code: string, bucket: string): BackupProblem {
  const what = `the storage rejected a request to the bucket ${bucket} with ${status} ${code}`.trim();
  const next = advice[code] ?? (status >= 300 && status < 400 ? region : undefined);
  return new BackupProblem(next === undefined ? what : `${what}: ${next}`);
}

export function unreachable(endpoint: string, error: unknown): BackupProblem {
  const reason = (error instanceof Error && codeOf(error.cause)) || messageOf(error);
  const known = explainConnection(reason);
  return new BackupProblem(
    `the storage at ${endpoint} cannot be reached (${known ? `${reason}: ${known}` : reason}): check USHER_S3_ENDPOINT and the network`,
  );
}
