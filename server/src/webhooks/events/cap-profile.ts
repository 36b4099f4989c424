import type { EmbeddedProfile } from '@usher/domain';

/** A page can make a profile large, and every report sends it to each webhook. */
const MAX_BYTES = 8192;
/** What customers find a user by, and what is small by itself. */
const kept: ReadonlySet<string> = new Set(['id', 'uid', 'email', 'created_at', 'updated_at', 'company', 'company_id']);

type Owner = Record<string, unknown>;

/** The profile as JSON of 8 KB at most: the largest properties of the user and the Company are left out until it is. */
export function capProfile(profile: EmbeddedProfile): { profile: Owner; profile_truncated?: true } {
  let bytes = sizeOf(profile);
  if (bytes <= MAX_BYTES) return { profile };
  const { company } = profile;
  const properties = [profile, ...(company ? [company] : [])]
    .flatMap((owner: Owner) =>
      Object.entries(owner)
        .filter(([name]) => !kept.has(name))
        .map(([name, value]) => ({ owner, name, bytes: sizeOf(name) + sizeOf(value) + ':,'.length })),
    )
    .sort((one, other) => other.bytes - one.bytes);
  const dropped = new Map<Owner, Set<string>>([
    [profile, new Set()],
    [company ?? {}, new Set()],
  ]);
  for (const property of properties) {
    if (bytes <= MAX_BYTES) break;
    dropped.get(property.owner)?.add(property.name);
    bytes -= property.bytes;
  }
  const without = (owner: Owner) =>
    Object.fromEntries(Object.entries(owner).filter(([name]) => !dropped.get(owner)?.has(name)));
  return {
    profile: { ...without(profile), ...(company && { company: without(company) }) },
    profile_truncated: true,
  };
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}
