import {
  type Browser,
  createdAtOf,
  isAnonymousUid,
  type ProfileItem,
  toTimestamp,
  toTimestampOrNull,
  type VisitOutput,
} from '@usher/domain';
import type { PageProfile } from '../../../db/page-profile/page-profile.ts';
import type { PublishedAccount } from '../../../published/published-account.ts';
import { presentProfile } from '../../audience/profiles/present-profile.ts';

/** The profile in full, for a page that has proven whose visit it is. */
export function presentPageProfile({ row, company }: PageProfile): VisitOutput['profile'] {
  const { company_id } = row;
  if (company_id === null) return presentProfile(row);
  // A statement that waited for another one may read the new ID of a Company and not yet its row.
  if (!company) return presentProfile({ ...row, company_id: null });
  return presentProfile(row, {
    id: company_id,
    created_at: toTimestamp(createdAtOf({ ...company, id: company_id })),
    uid: company.uid,
  });
}

/**
 * What anyone may read who has only the public token: what this request sent, whether it was stored or not. Otherwise
 * someone could try values until one is right. Of the user it has only the ID, when this page was loaded, and `percent` if the
 * account allows it.
 */
export function presentUnproven(
  { allowPercent }: Pick<PublishedAccount, 'allowPercent'>,
  { row }: PageProfile,
  { email, company, custom }: ProfileItem,
  browser: Browser,
): VisitOutput['profile'] {
  const { id, uid, updated_at, last_seen_at } = row;
  return {
    id,
    created_at: toTimestamp(createdAtOf(row)),
    updated_at: toTimestamp(last_seen_at ?? updated_at),
    uid,
    ...(isAnonymousUid(uid) && { anonymous: true }),
    ...browser,
    percent: allowPercent ? row.percent : null,
    last_seen_at: toTimestampOrNull(last_seen_at),
    last_seen_session_count: null,
    delivery_ids: [],
    ...(email && { email }),
    ...(company && { company: { id: company.id, uid: company.uid } }),
    ...Object.fromEntries(Object.entries(custom).filter(([, value]) => value !== null)),
  };
}
