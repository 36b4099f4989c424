import type { Db } from '../db/storage.ts';
import type { SecretBox } from './secret-box.ts';

/** Where the key of a certificate is stored. Its domains are part of it, so that no other row can have the key. */
export function placeOfCertificate({ directory, domains }: { directory: string; domains: string }): string {
  return `certificates ${directory} ${domains} private_key`;
}

export function placeOfAcmeAccount(directory: string): string {
  return `acme_accounts ${directory} private_key`;
}

/** Encrypts the keys of certificates and ACME accounts with another master key. */
export async function reencryptCertificates(db: Db, box: SecretBox, fingerprint: string): Promise<void> {
  for (const row of await db.selectFrom('certificates').select(['directory', 'domains', 'private_key']).execute()) {
    if (row.private_key === null) continue;
    const place = placeOfCertificate(row);
    await db
      .updateTable('certificates')
      .set({ private_key: box.seal(fingerprint, place, box.open(place, row.private_key)) })
      .where('directory', '=', row.directory)
      .where('domains', '=', row.domains)
      .execute();
  }
  for (const { directory, private_key } of await db.selectFrom('acme_accounts').selectAll().execute()) {
    const place = placeOfAcmeAccount(directory);
    await db
      .updateTable('acme_accounts')
      .set({ private_key: box.seal(fingerprint, place, box.open(place, private_key)) })
      .where('directory', '=', directory)
      .execute();
  }
}
