import type { Custom } from '@usher/domain';

interface StoredRow {
  account_id: string;
  id: string;
  uid: string;
  email?: string | null;
  custom: Custom;
}

const MIN_TRACE_BYTES = 6;

/**
 * Lists the texts by which copies of a profile or Company can be found in a database file. A short `uid` or email would be
 * found everywhere, so it is searched together with the account ID, which precedes it in every index.
 */
export function findTraces({ account_id, id, uid, email, custom }: StoredRow): string[] {
  const names = [uid, email ?? ''].map((name) => (isDistinctive(name) ? name : account_id + name));
  return [id, ...names.filter((name) => name !== account_id), ...listTexts(custom).filter(isDistinctive)];
}

function isDistinctive(text: string): boolean {
  return Buffer.byteLength(text) >= MIN_TRACE_BYTES;
}

function listTexts(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}
