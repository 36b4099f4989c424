import {
  createdAtOf,
  type EmbeddedProfile,
  type Expand,
  isAnonymousUid,
  type Profile,
  toTimestamp,
  toTimestampOrNull,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { PageProfileRow } from '../../../db/page-profile/columns.ts';
import { embedCompany } from '../companies/present-company.ts';
import { type CompanyRow, companiesById } from '../companies/queries.ts';
import type { ProfileRow } from './queries.ts';

/** Page loads present profiles, too, so this shows only columns that they read. */
export function presentProfile(row: PageProfileRow, company?: ReturnType<typeof embedCompany>): Profile {
  return {
    id: row.id,
    created_at: toTimestamp(createdAtOf(row)),
    updated_at: toTimestamp(row.updated_at),
    uid: row.uid,
    email: row.email,
    ...(row.company_id !== null && { company_id: row.company_id }),
    browser_x: row.browser_x,
    browser_tz: row.browser_tz,
    browser_l: row.browser_l,
    browser_n: row.browser_n,
    browser_k: row.browser_k,
    percent: row.percent,
    last_seen_at: toTimestampOrNull(row.last_seen_at),
    last_seen_session_count: row.last_seen_session_count,
    delivery_ids: row.delivery_ids,
    last_cleared_at: toTimestampOrNull(row.last_cleared_at),
    ...withoutAnonymous(row.custom),
    ...(isAnonymousUid(row.uid) && { anonymous: true }),
    ...(company && { company }),
  };
}

/** A version before could store a custom property of this name, which would look like ours. */
function withoutAnonymous({ anonymous: _, ...custom }: ProfileRow['custom']): ProfileRow['custom'] {
  return custom;
}

/** Presents a profile as a part of another record or of a list. */
function embedProfile(row: ProfileRow, company: CompanyRow | undefined, expand: Expand): EmbeddedProfile {
  if (expand.profile === 'skip') return { id: row.id };
  const embedded = embedCompany(company, expand.company);
  if (expand.profile === 'all') return presentProfile(row, embedded);
  return {
    id: row.id,
    created_at: toTimestamp(createdAtOf(row)),
    updated_at: toTimestamp(row.updated_at),
    uid: row.uid,
    ...(embedded && { company: embedded }),
  };
}

export async function embedProfiles(
  ctx: Context,
  rows: readonly ProfileRow[],
  expand: Expand,
): Promise<EmbeddedProfile[]> {
  const ids = expand.company === 'skip' ? [] : rows.map((row) => row.company_id);
  const companies = await companiesById(ctx, ids);
  return rows.map((row) => embedProfile(row, companies.get(row.company_id ?? ''), expand));
}
