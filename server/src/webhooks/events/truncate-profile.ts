import type { EmbeddedProfile } from '@usher/domain';

/** A page can make a profile large, and every report sends it to each webhook. */
const MAX_BYTES = 8192;
/** Customers find a user by these fields, and most of them are small. */
const keptFields: ReadonlySet<string> = new Set([
  'id',
  'uid',
  'email',
  'created_at',
  'updated_at',
  'company',
  'company_id',
]);

type Owner = Record<string, unknown>;

/** Leaves out the largest properties of the user and the Company until the profile has 8 KB of JSON at most. */
export function truncateProfile(profile: EmbeddedProfile): { profile: Owner; profile_truncated?: true } {
  let bytes = sizeOf(profile);
  if (bytes <= MAX_BYTES) return { profile };
  const { company } = profile;
  const properties = [profile, ...(company ? [company] : [])]
    .flatMap((owner: Owner) =>
      Object.entries(owner)
        .filter(([name]) => !keptFields.has(name))
        .map(([name, value]) => ({ owner, name, bytes: sizeOf(name) + sizeOf(value) + ':,'.length })),
    )
    .sort((a, b) => b.bytes - a.bytes);
  const dropped = new Map<Owner, Set<string>>([
    [profile, new Set()],
    [company ?? {}, new Set()],
  ]);
  for (const property of properties) {
    if (bytes <= MAX_BYTES) break;
    dropped.get(property.owner)?.add(property.name);
    bytes -= property.bytes;
  }
  const withoutDropped = (owner: Owner) =>
    Object.fromEntries(Object.entries(owner).filter(([name]) => !dropped.get(owner)?.has(name)));
  return {
    profile: { ...withoutDropped(profile), ...(company && { company: withoutDropped(company) }) },
    profile_truncated: true,
  };
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}
