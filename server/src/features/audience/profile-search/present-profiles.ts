import { createdAtOf, nameOf, type PersonSummary, toTimestamp, toTimestampOrNull } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { type CompanyRow, companiesById } from '../companies/queries.ts';
import type { ProfileRow } from '../profiles/queries.ts';

export async function presentProfiles(ctx: Context, rows: readonly ProfileRow[]): Promise<PersonSummary[]> {
  const companies = await companiesById(
    ctx,
    rows.map(({ company_id }) => company_id),
  );
  return rows.map((row) => presentPerson(row, companies.get(row.company_id ?? '')));
}

function presentPerson(row: ProfileRow, company: CompanyRow | undefined): PersonSummary {
  return {
    id: row.id,
    uid: row.uid,
    email: row.email,
    name: nameOf(row.custom),
    company: company ? { id: company.id, uid: company.uid, name: nameOf(company.custom) } : null,
    created_at: toTimestamp(createdAtOf(row)),
    last_seen_at: toTimestampOrNull(row.last_seen_at),
    last_seen_session_count: row.last_seen_session_count,
    is_test: row.is_test,
  };
}
