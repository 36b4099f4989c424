/** Who the user is, as a visit sends it. */
export interface Identity {
  /** Undefined if the user has not signed in. */
  uid: string | undefined;
  uid_hash?: unknown;
  identity_hash?: unknown;
  email?: unknown;
  company?: unknown;
  company_uid?: unknown;
  company_id?: unknown;
  properties: Record<string, unknown>;
}

const hashFields = ['uid_hash', 'identity_hash'] as const;
const companyFields = ['company', 'company_uid', 'company_id'] as const;
const ownFields = [...hashFields, 'email', ...companyFields] as const;

/**
 * Reads the arguments of `identify(uid, props)` or `identify({uid, …})`. Returns undefined if there is no usable uid, unless users may be
 * anonymous.
 */
export function readIdentity(first: unknown, second: unknown, isAnonymousAllowed?: boolean): Identity | undefined {
  const input = { ...(isRecord(second) && second), ...(isRecord(first) ? first : { uid: first }) };
  const { uid, ...rest } = input;
  const isKnown = (typeof uid === 'string' || typeof uid === 'number') && uid !== '';
  if (!isKnown && !isAnonymousAllowed) return undefined;
  return withProperties({ uid: isKnown ? String(uid) : undefined, properties: {} }, rest);
}

/**
 * Adds values. A value goes to its field in a visit if there is one; all others are custom properties. A value stays until it is
 * replaced: a hash that is missing this time is still valid. The last call that names a Company replaces all fields for it.
 */
export function withProperties(identity: Identity, input: Record<string, unknown>): Identity {
  // The object has no prototype, because a property named `__proto__` would replace it.
  const next = { ...identity, properties: Object.assign(Object.create(null), identity.properties) };
  if (companyFields.some((name) => input[name] !== undefined)) for (const name of companyFields) delete next[name];
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined || (!value && hashFields.includes(name as 'uid_hash'))) continue;
    if (ownFields.includes(name as 'email')) next[name as 'email'] = value;
    else if (name !== 'uid') next.properties[name] = value;
  }
  return next;
}

/** Merges two calls for the same user. */
export function mergeIdentity(known: Identity, { uid: _, properties, ...rest }: Identity): Identity {
  return withProperties(known, { ...properties, ...rest });
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
