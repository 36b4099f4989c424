/** Who the user is, as a visit tells it. */
export interface Identity {
  uid: string;
  uid_hash?: unknown;
  email?: unknown;
  company?: unknown;
  company_uid?: unknown;
  company_id?: unknown;
  properties: Record<string, unknown>;
}

const own = ['uid_hash', 'email', 'company', 'company_uid', 'company_id'] as const;

/** Of `identify(uid, props)` or `identify({uid, …})`. Undefined when nobody is named. */
export function readIdentity(first: unknown, second: unknown): Identity | undefined {
  const given = { ...(isRecord(second) && second), ...(isRecord(first) ? first : { uid: first }) };
  const { uid, ...rest } = given;
  if ((typeof uid !== 'string' && typeof uid !== 'number') || uid === '') return undefined;
  return withProperties({ uid: String(uid), properties: {} }, rest);
}

/** What has a name of its own in a visit goes there; all else is a custom property. */
export function withProperties(identity: Identity, given: Record<string, unknown>): Identity {
  // Without a prototype, which a property named `__proto__` would replace.
  const next = { ...identity, properties: Object.assign(Object.create(null), identity.properties) };
  for (const [name, value] of Object.entries(given)) {
    if (own.includes(name as (typeof own)[number])) next[name as (typeof own)[number]] = value;
    else if (name !== 'uid') next.properties[name] = value;
  }
  return next;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
