import { resolve } from 'node:path';
import { readWhole, WrongSetting } from './read-setting.ts';

const HOUR_MS = 60 * 60_000;

export type BackupTarget = { folder: string } | { bucket: string; prefix: string };

/** Where, how often and how many backups are made automatically. */
export interface BackupSettings {
  to: BackupTarget;
  everyMs: number;
  keep: number;
}

export interface S3Settings {
  endpoint: string;
  region: string;
  accessKey: string;
  secretKey: string;
}

/** Returns undefined if no backups are to be made automatically. */
export function readBackup(env: NodeJS.ProcessEnv): BackupSettings | undefined {
  const every = readWhole('USHER_BACKUP_EVERY', env.USHER_BACKUP_EVERY, 'hours', 8760) ?? 24;
  const keep = readWhole('USHER_BACKUP_KEEP', env.USHER_BACKUP_KEEP, 'backups', 10_000) ?? 7;
  const to = env.USHER_BACKUP_TO;
  if (!to) {
    if (env.USHER_BACKUP_EVERY || env.USHER_BACKUP_KEEP)
      throw new WrongSetting(
        'USHER_BACKUP_EVERY and USHER_BACKUP_KEEP need USHER_BACKUP_TO, a folder or s3://bucket/prefix',
      );
    return undefined;
  }
  return { to: readBackupTarget('USHER_BACKUP_TO', to, readS3(env)), everyMs: every * HOUR_MS, keep };
}

/** @param name what the operator has set, for the messages */
export function readBackupTarget(name: string, to: string, s3: S3Settings | undefined): BackupTarget {
  if (!/^\w+:\/\//.test(to)) return { folder: resolve(to) };
  const address = readS3Address(to);
  if (!address) {
    const [bucket] = /^s3:\/\/[^/]+/.exec(to) ?? [];
    const rule =
      bucket === undefined || readS3Address(bucket)
        ? ''
        : ': the name of a bucket has 3 to 63 lowercase letters, digits, "-" and "."';
    throw new WrongSetting(`${name} must be a folder or s3://bucket/prefix, not "${to}"${rule}`);
  }
  if (!s3) throw new WrongSetting(`${name} with s3:// needs USHER_S3_ACCESS_KEY and USHER_S3_SECRET_KEY`);
  return address;
}

/** Returns undefined for an address that is not one of S3. */
export function readS3Address(text: string): { bucket: string; prefix: string } | undefined {
  const [, bucket, prefix] = /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])(?:\/(.*))?$/.exec(text) ?? [];
  const folders = (prefix ?? '').replace(/^\/+|\/+$/g, '').split('/');
  // An address with `..` would leave the bucket, and with `//` the storage would list another name than it stores.
  const isOdd = folders.length > 1 && folders.includes('');
  if (bucket === undefined || isOdd || folders.some((name) => name === '.' || name === '..')) return undefined;
  return { bucket, prefix: folders.join('/') };
}

/** The errors do not show the keys. */
export function readS3(env: NodeJS.ProcessEnv): S3Settings | undefined {
  const { USHER_S3_ACCESS_KEY: accessKey, USHER_S3_SECRET_KEY: secretKey } = env;
  if (!accessKey && !secretKey) return undefined;
  if (!accessKey || !secretKey)
    throw new WrongSetting('USHER_S3_ACCESS_KEY and USHER_S3_SECRET_KEY belong together: set both or none');
  const region = env.USHER_S3_REGION || 'us-east-1';
  const endpoint = env.USHER_S3_ENDPOINT || `https://s3.${region}.amazonaws.com`;
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username)
    throw new WrongSetting(`USHER_S3_ENDPOINT must be an address such as https://s3.example.com, not "${endpoint}"`);
  return { endpoint: url.href.replace(/\/$/, ''), region, accessKey, secretKey };
}
