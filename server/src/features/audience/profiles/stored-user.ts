import type { Custom, StoredUser } from '@usher/domain';
import type { ProfileRow } from './queries.ts';

interface Compared {
  /** Whether the page names the Company that the user is in. */
  isSameCompany: boolean;
  /** The properties of the Company that the page names, if it exists. */
  companyCustom: Custom;
  /** Whether another profile holds the email that the page sends. */
  emailTaken: boolean;
}

/** What is stored of a user, as the rule for writes of pages needs it. */
export function toStoredUser(
  profile: Pick<ProfileRow, 'email' | 'company_id' | 'custom'> & { page_keys: readonly string[] },
  { isSameCompany, companyCustom, emailTaken }: Compared,
): StoredUser {
  return {
    email: profile.email,
    emailTaken,
    company: profile.company_id === null ? 'none' : isSameCompany ? 'same' : 'other',
    companyCustom,
    custom: profile.custom,
    pageKeys: profile.page_keys,
  };
}

/** The values for a user who is not stored. */
export const nothingStored = toStoredUser(
  { email: null, company_id: null, custom: {}, page_keys: [] },
  { isSameCompany: false, companyCustom: {}, emailTaken: false },
);
