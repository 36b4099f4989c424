/** Who the user is, as a visit tells it. */
export interface Identity {
  uid: string;
  uid_hash?: unknown;
  identity_hash?: unknown;
  email?: unknown;
  company?: unknown;
  company_uid?: unknown;
  company_id?: unknown;
  properties: Record<string, unknown>;
}

const hashes = ['uid_hash', 'identity_hash'] as const;
const companies = ['company', 'company_uid', 'company_id'] as const;
const own = [...hashes, 'email', ...companies] as const;

/** Of `identify(uid, props)` or `identify({uid, …})`. Undefined when nobody is named. */
export function readIdentity(first: unknown, second: unknown): Identity | undefined {
  const given = { ...(isRecord(second) && second), ...(isRecord(first) ? first : { uid: first }) };
  const { uid, ...rest } = given;
  if ((typeof uid !== 'string' && typeof uid !== 'number') || uid === '') return undefined;
  return withProperties({ uid: String(uid), properties: {} }, rest);
}

/**
 * What has a name of its own in a visit goes there; all else is a custom property. What is known stays unless it is given
 * anew: a hash that is missing this time is still valid, and of several names for the Company the last one counts.
 */
export function withProperties(identity: Identity, given: Record<string, unknown>): Identity {
  // Without a prototype, which a property named `__proto__` would replace.
  const next = { ...identity, properties: Object.assign(Object.create(null), identity.properties) };
  if (companies.some((name) => given[name] !== undefined)) for (const name of companies) delete next[name];
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || (!value && hashes.includes(name as 'uid_hash'))) continue;
    if (own.includes(name as 'email')) next[name as 'email'] = value;
    else if (name !== 'uid') next.properties[name] = value;
  }
  return next;
}

/** What two calls for one user tell together. */
export function mergeIdentity(known: Identity, { uid: _, properties, ...rest }: Identity): Identity {
  return withProperties(known, { ...properties, ...rest });
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
