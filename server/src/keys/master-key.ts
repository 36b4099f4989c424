import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Db, Storage } from '../db/storage.ts';
import { codeOf } from '../error-code.ts';
import { type MasterKeySource, readKey } from '../settings/master-key-source.ts';
import { keyColumns, MASTER_KEY, openKey, placeOf } from './account-keys.ts';
import { reencryptCertificates } from './certificate-keys.ts';
import { isSealed, newKey, SecretBox } from './secret-box.ts';

/** A problem that an operator can fix. It is printed in one line, without a stack. */
export class KeyProblem extends Error {}

/**
 * Finds the master key, and encrypts what is not encrypted yet. Every node of a database needs the same key, and does not
 * start with another one.
 */
export async function unlockSecrets(
  storage: Storage,
  source: MasterKeySource,
  onCreate: (file: string) => void = () => {},
): Promise<SecretBox> {
  const known = await fingerprintIn(storage.reader(null));
  const create = () => {
    const created = createKeyFile(source.file);
    onCreate(source.file);
    return created;
  };
  const keys = source.keys ?? readKeyFile(source.file) ?? (known === undefined ? create() : []);
  const box = new SecretBox(keys);
  const plain = await storage.write(null, async (db) => {
    await lockStart(storage, db);
    return encryptPlain(db, box, await claimKey(db, box, source));
  });
  // These keys were stored without encryption until now, and unused parts of the file may still contain them.
  if (plain.length > 0) await storage.shred(plain);
  return box;
}

/** Encrypts everything with the first key. The others are not needed any more. */
export async function rotateKey(
  storage: Storage,
  source: MasterKeySource,
): Promise<{ fingerprint: string; replaced: string; accounts: number }> {
  const box = await unlockSecrets(storage, source);
  const [fingerprint = ''] = box.fingerprints;
  return storage.write(null, async (db) => {
    const row = storage.dialect.lockRows(db.selectFrom('installation').select('value').where('name', '=', MASTER_KEY));
    const { value: replaced } = await row.executeTakeFirstOrThrow();
    if (replaced === fingerprint)
      throw new KeyProblem(
        `the first master key of ${nameOf(source)} is the one in use: put a new one before it, ${separated(source)}, restart every node, then run this again. A new key: ${newKey()}`,
      );
    await db.updateTable('installation').set({ value: fingerprint }).where('name', '=', MASTER_KEY).execute();
    const accounts = await db
      .selectFrom('accounts')
      .select(['id', ...keyColumns])
      .execute();
    for (const account of accounts) {
      const sealed = keyColumns.map((column) => {
        const value = openKey(box, account, column);
        return [column, value === null ? null : box.seal(fingerprint, placeOf(account.id, column), value)];
      });
      await db.updateTable('accounts').set(Object.fromEntries(sealed)).where('id', '=', account.id).execute();
    }
    await reencryptCertificates(db, box, fingerprint);
    return { fingerprint, replaced, accounts: accounts.length };
  });
}

/** For a master key that is lost: removes what only it could decrypt. New keys are created when they are needed. */
export async function resetKey(storage: Storage, source: MasterKeySource): Promise<{ reset: boolean }> {
  const known = await fingerprintIn(storage.reader(null));
  const present = source.keys ?? readKeyFile(source.file) ?? [];
  if (known === undefined || new SecretBox(present).fingerprints.includes(known))
    throw new KeyProblem('the master key is not lost: `usher key rotate` replaces it');
  await storage.write(null, async (db) => {
    await lockStart(storage, db);
    await db.updateTable('accounts').set({ hash_key: null, visit_key: null, uid_secret: null }).execute();
    // Other ones are ordered, by another account.
    await db.deleteFrom('certificates').execute();
    await db.deleteFrom('acme_accounts').execute();
    await db.deleteFrom('installation').where('name', '=', MASTER_KEY).execute();
  });
  await unlockSecrets(storage, source);
  return { reset: true };
}

/** The keys as they are now; undefined if there is no file. */
export function readMasterKeys({ keys, file }: MasterKeySource): readonly Uint8Array[] | undefined {
  return keys ?? readKeyFile(file);
}

async function fingerprintIn(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', MASTER_KEY).executeTakeFirst();
  return row?.value;
}

/** Makes nodes that start together wait for each other. */
async function lockStart(storage: Storage, db: Db): Promise<void> {
  await storage.dialect.lockRows(db.selectFrom('migrations').select('name').where('name', '=', '')).execute();
}

/** Returns the fingerprint of the key in use. If there was none, it becomes the first of our keys. */
async function claimKey(db: Db, box: SecretBox, source: MasterKeySource): Promise<string> {
  const known = await fingerprintIn(db);
  const { fingerprints } = box;
  if (known !== undefined && fingerprints.includes(known)) return known;
  if (known !== undefined) throw otherKey(known, source, fingerprints);
  const [first = ''] = fingerprints;
  await db.insertInto('installation').values({ name: MASTER_KEY, value: first }).execute();
  return first;
}

function otherKey(known: string, source: MasterKeySource, fingerprints: readonly string[]): KeyProblem {
  return new KeyProblem(
    `the secrets in this database are encrypted with the master key ${known}, and ${nameOf(source)} has ${fingerprints.join(', ') || 'none'}: every node needs the same key. Put it there, or set USHER_MASTER_KEY or USHER_MASTER_KEY_FILE. Only when it is lost for good: usher key reset`,
  );
}

/** Throws if the settings do not have the key of a backup. Undefined is a backup that has no key yet. */
export function requireKey(known: string | undefined, source: MasterKeySource): void {
  const { fingerprints } = new SecretBox(readMasterKeys(source) ?? []);
  if (known !== undefined && !fingerprints.includes(known)) throw otherKey(known, source, fingerprints);
}

async function encryptPlain(db: Db, box: SecretBox, fingerprint: string): Promise<string[]> {
  const found: string[] = [];
  const accounts = await db
    .selectFrom('accounts')
    .select(['id', ...keyColumns])
    .execute();
  for (const account of accounts) {
    const plain = keyColumns.flatMap((column) => {
      const value = account[column];
      return value === null || isSealed(value) ? [] : [{ column, value }];
    });
    if (plain.length === 0) continue;
    const sealed = plain.map(({ column, value }) => [
      column,
      box.seal(fingerprint, placeOf(account.id, column), value),
    ]);
    await db.updateTable('accounts').set(Object.fromEntries(sealed)).where('id', '=', account.id).execute();
    found.push(...plain.map(({ value }) => value));
  }
  return found;
}

function readKeyFile(file: string): Uint8Array[] | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new KeyProblem(`the file with the master key cannot be read: ${file}`);
  }
  const keys = text.split(/[\s,]+/).filter((word) => word !== '');
  if (keys.length === 0)
    throw new KeyProblem(`${file} has no master key: put the key into it, or remove the file when there is none`);
  return keys.map((word) => {
    const key = readKey(word);
    if (!key) throw new KeyProblem(`${file} must have master keys of 32 bytes in base64 or hex, one on each line`);
    return key;
  });
}

/** If several nodes of one machine start together, one of them creates the complete file and the others read it. */
function createKeyFile(file: string): Uint8Array[] {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const own = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(own, `${newKey()}\n`, { flag: 'wx', mode: 0o600, flush: true });
  try {
    chmodSync(own, 0o600);
    linkSync(own, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(own);
  }
  return readKeyFile(file) ?? [];
}

function nameOf({ keys, file }: MasterKeySource): string {
  return keys ? 'USHER_MASTER_KEY' : file;
}

function separated({ keys }: MasterKeySource): string {
  return keys ? 'separated by a comma' : 'on a line of its own';
}
