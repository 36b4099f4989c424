/** Keys that custom properties of a profile cannot have. */
export const reservedProfileKeys: ReadonlySet<string> = new Set([
  'id',
  'uid',
  'email',
  'anonymous',
  'created_at',
  'updated_at',
  'account_id',
  'account_secret',
  'company',
  'company_id',
  'company_uid',
  'percent',
  'delivery_ids',
  'last_seen_at',
  'last_seen_session_count',
  'last_cleared_at',
  'browser_x',
  'browser_tz',
  'browser_l',
  'browser_n',
  'browser_k',
]);

/** Keys that custom properties of a Company cannot have. */
export const reservedCompanyKeys: ReadonlySet<string> = new Set([
  'id',
  'uid',
  'created_at',
  'updated_at',
  'account_id',
  'account_secret',
]);
