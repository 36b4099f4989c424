import type { ProfileItem, StoredUser } from '@usher/domain';
import type { Visitor } from './queries.ts';

/** A user of whom nothing is stored. */
export const newForPage: StoredUser = {
  email: null,
  emailTaken: false,
  company: 'none',
  companyCustom: {},
  custom: {},
  pageKeys: [],
};

/** What the rule for pages needs of a known user. Who else holds the email is found out only when it is to be stored. */
export function storedForPage({ row, company }: Visitor, input: ProfileItem): StoredUser {
  const isSame = company !== undefined && (input.company?.id ?? row.company_id) === row.company_id;
  const isSameUid = (input.company?.uid ?? company?.uid) === company?.uid;
  return {
    email: row.email,
    emailTaken: false,
    company: row.company_id === null ? 'none' : input.company && isSame && isSameUid ? 'same' : 'other',
    companyCustom: company?.custom ?? {},
    custom: row.custom,
    pageKeys: row.page_keys,
  };
}
