import { type Company, createdAtOf, type EmbeddedCompany, type ExpandLevel, toTimestamp } from '@usher/domain';
import type { CompanyRow } from './queries.ts';

export function presentCompany(row: CompanyRow): Company {
  return {
    id: row.id,
    created_at: toTimestamp(createdAtOf(row)),
    updated_at: toTimestamp(row.updated_at),
    uid: row.uid,
    ...row.custom,
  };
}

/** Presents a Company as a part of another record. Returns undefined if it is to be left out. */
export function embedCompany(row: CompanyRow | undefined, form: ExpandLevel): EmbeddedCompany | undefined {
  if (!row || form === 'skip') return undefined;
  return form === 'all' ? presentCompany(row) : { id: row.id, created_at: toTimestamp(createdAtOf(row)), uid: row.uid };
}
