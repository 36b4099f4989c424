import type { ColumnTypes } from './migration.ts';

/**
 * Certificates that the server gets by ACME, the keys of the ACME accounts, and the challenges that any node can answer. Keys are encrypted
 * with the master key. A node that orders a certificate has a claim on its row.
 */
export function certificates({ id, time }: ColumnTypes): string[] {
  return [
    `create table certificates (
      directory ${id} not null,
      domains ${id} not null,
      chain text,
      private_key text,
      claim ${id},
      claimed_at ${time},
      failures integer not null default 0,
      error text,
      retry_at ${time},
      primary key (directory, domains)
    )`,
    `create table acme_accounts (directory ${id} primary key, private_key text not null)`,
    `create table acme_challenges (
      token ${id} primary key,
      key_authorization text not null,
      created_at ${time} not null
    )`,
  ];
}
