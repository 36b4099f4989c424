import { checkPageWrite, type IgnoredWrite, mergeCustom, type PageTrust, type ProfileItem } from '@usher/domain';
import type { PageProfile } from '../../../db/page-profile/page-profile.ts';
import { toStoredUser } from '../../audience/profiles/stored-user.ts';

/** Whether the page names the Company that the user is in. */
export function isSameCompany({ row, company: stored }: PageProfile, { company: input }: ProfileItem): boolean {
  if (!input || !stored) return false;
  return (input.id ?? row.company_id) === row.company_id && (input.uid ?? stored.uid) === stored.uid;
}

/**
 * Returns undefined if the page sent something that has to be stored. Otherwise returns what the page sent and may not
 * change.
 */
export function ignoredOfUnchanged(
  pageProfile: PageProfile,
  input: ProfileItem,
  trust: PageTrust,
): readonly IgnoredWrite[] | undefined {
  if (isUnchanged(pageProfile, input)) return [];
  // Whether another profile holds the email is looked up only when the email is stored.
  const stored = toStoredUser(pageProfile.row, {
    isSameCompany: isSameCompany(pageProfile, input),
    companyCustom: pageProfile.company?.custom ?? {},
    emailTaken: false,
  });
  const { allowed, ignored } = checkPageWrite(stored, input, trust);
  return isUnchanged(pageProfile, allowed) ? ignored : undefined;
}

function isUnchanged({ row, company: stored }: PageProfile, { email, company, custom }: ProfileItem): boolean {
  if (email !== undefined && email !== row.email) return false;
  if (mergeCustom(row.custom, custom)) return false;
  if (!company) return company === undefined || row.company_id === null;
  return stored !== undefined && stored.uid === company.uid && !mergeCustom(stored.custom, company.custom);
}
