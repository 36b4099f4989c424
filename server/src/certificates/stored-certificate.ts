import { createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { isRecent, type Millis } from '@usher/domain';
import type { AppContext } from '../context.ts';
import type { Db } from '../db/storage.ts';
import { sealAt } from '../keys/account-keys.ts';
import { placeOfAcmeAccount, placeOfCertificate } from '../keys/certificate-keys.ts';

/** A node that orders renews its claim more often. */
const MAX_CLAIM_MS: Millis = 90_000;
const MINUTE: Millis = 60_000;
/** A minute, then longer, so that an error which lasts stays below the limits of the authority: five failures in an hour. */
const pauses: readonly Millis[] = [1, 5, 15, 30, 60, 120, 240, 480].map((minutes) => minutes * MINUTE);
/** A time beyond this is from a wrong clock. */
const MAX_PAUSE_MS: Millis = 8 * 24 * 60 * MINUTE;

type App = Pick<AppContext, 'storage' | 'secretBox' | 'now'>;

/** The row of a certificate. */
export interface CertificateName {
  directory: string;
  domains: string;
}

export interface StoredCertificate {
  chain: string | null;
  claimed_at: Millis | null;
  failures: number;
  error: string | null;
  retry_at: Millis | null;
}

export async function readCertificate({ storage }: App, name: CertificateName): Promise<StoredCertificate | undefined> {
  return readFrom(storage.reader(null), name);
}

/** Returns the certificate with its decrypted key, as PEM. */
export async function openCertificate(
  { storage, secretBox }: App,
  name: CertificateName,
): Promise<{ cert: string; key: string } | undefined> {
  const query = storage.reader(null).selectFrom('certificates').select(['chain', 'private_key']);
  const row = await query
    .where('directory', '=', name.directory)
    .where('domains', '=', name.domains)
    .executeTakeFirst();
  if (!row || row.chain === null || row.private_key === null) return undefined;
  return { cert: row.chain, key: secretBox.open(placeOfCertificate(name), row.private_key) };
}

/** When two thirds of the lifetime are over. */
function renewalTime(chain: string): Millis {
  const { validFrom, validTo } = new X509Certificate(chain);
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  return from + ((to - from) * 2) / 3;
}

export function isDue({ chain, claimed_at, retry_at }: StoredCertificate, now: Millis): boolean {
  const isClaimed = claimed_at !== null && isRecent(claimed_at, now, MAX_CLAIM_MS);
  const mustWait = retry_at !== null && retry_at > now && retry_at - now < MAX_PAUSE_MS;
  return !isClaimed && !mustWait && (chain === null || now >= renewalTime(chain));
}

/** Returns whether a certificate has to be ordered now, and by this node. */
export function claimOrder({ storage, now }: App, name: CertificateName, claim: string): Promise<boolean> {
  return storage.write(null, async (db) => {
    await db
      .insertInto('certificates')
      .values(name)
      .onConflict((known) => known.doNothing())
      .execute();
    const query = db.selectFrom('certificates').select('domains').where('directory', '=', name.directory);
    await storage.dialect.lockRows(query.where('domains', '=', name.domains)).execute();
    const row = await readFrom(db, name);
    if (!row || !isDue(row, now())) return false;
    await update(db, name).set({ claim, claimed_at: now() }).execute();
    return true;
  });
}

export function keepClaim({ storage, now }: App, name: CertificateName, claim: string): Promise<void> {
  return storage.write(null, async (db) => {
    await update(db, name).set({ claimed_at: now() }).where('claim', '=', claim).execute();
  });
}

/** Ends the claim of an order that was stopped. It is due as it was before. */
export function releaseClaim({ storage }: App, name: CertificateName, claim: string): Promise<void> {
  return storage.write(null, async (db) => {
    await update(db, name).set({ claim: null, claimed_at: null }).where('claim', '=', claim).execute();
  });
}

/** Stores what was issued. Nothing is stored if another node has claimed the order meanwhile. */
export function storeCertificate(
  { storage, secretBox }: App,
  name: CertificateName,
  claim: string,
  issued: { chain: string; privateKey: string },
): Promise<void> {
  return storage.write(null, async (db) => {
    const place = placeOfCertificate(name);
    const private_key = await sealAt(storage.dialect, db, secretBox, place, issued.privateKey);
    await update(db, name)
      .set({
        chain: issued.chain,
        private_key,
        failures: 0,
        error: null,
        retry_at: null,
        claim: null,
        claimed_at: null,
      })
      .where('claim', '=', claim)
      .execute();
  });
}

/** Stores why an order failed. Returns when the next one may begin: not before the authority allows it. */
export function recordFailure(
  { storage, now }: App,
  name: CertificateName,
  claim: string,
  { message, retryAfter = 0 }: { message: string; retryAfter?: Millis | undefined },
): Promise<Millis> {
  return storage.write(null, async (db) => {
    const failures = ((await readFrom(db, name))?.failures ?? 0) + 1;
    const pause = pauses[Math.min(failures, pauses.length) - 1] as Millis;
    const retry_at = now() + Math.min(MAX_PAUSE_MS - MINUTE, Math.max(pause, retryAfter));
    await update(db, name)
      .set({ failures, error: message, retry_at, claim: null, claimed_at: null })
      .where('claim', '=', claim)
      .execute();
    return retry_at;
  });
}

/** Returns the key of our account at the directory, which is created with the first order. */
export function findAccountKey({ storage, secretBox }: App, directory: string): Promise<KeyObject> {
  return storage.write(null, async (db) => {
    const place = placeOfAcmeAccount(directory);
    const query = db.selectFrom('acme_accounts').select('private_key').where('directory', '=', directory);
    const known = await query.executeTakeFirst();
    if (known) return createPrivateKey(secretBox.open(place, known.private_key));
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const values = { directory, private_key: await sealAt(storage.dialect, db, secretBox, place, pem) };
    // Another node, for other domains, may have created one meanwhile.
    await db
      .insertInto('acme_accounts')
      .values(values)
      .onConflict((other) => other.column('directory').doNothing())
      .execute();
    return createPrivateKey(secretBox.open(place, (await query.executeTakeFirstOrThrow()).private_key));
  });
}

async function readFrom(db: Db, { directory, domains }: CertificateName): Promise<StoredCertificate | undefined> {
  const query = db.selectFrom('certificates').select(['chain', 'claimed_at', 'failures', 'error', 'retry_at']);
  return query.where('directory', '=', directory).where('domains', '=', domains).executeTakeFirst();
}

function update(db: Db, { directory, domains }: CertificateName) {
  return db.updateTable('certificates').where('directory', '=', directory).where('domains', '=', domains);
}
