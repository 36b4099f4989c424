import {
  type Browser,
  checkPageWrite,
  drawPercent,
  type IgnoredWrite,
  measureProperties,
  measureRow,
  mergeCustom,
  mergeSources,
  type PageTrust,
  type SeenProperty,
} from '@usher/domain';
import { insertPageProfileAtVersion } from '../../../db/page-profile/insert.ts';
import type { PageProfile } from '../../../db/page-profile/page-profile.ts';
import type { PageRequest } from '../../../pages/page-request.ts';
import { nothingStored } from '../../audience/profiles/stored-user.ts';
import { SeenValues } from '../../audience/properties/seen.ts';
import type { PageProfileInput } from './parse-visit.ts';

/** These columns get their values from the clock of the account when the row is written. */
const unstamped = { id: '', updated_at: 0, last_seen_at: 0 };

/**
 * Fast path: a new user without email or Company, and without new Properties, takes one insert. Returns undefined, and
 * changes nothing, when it takes more than that.
 */
export async function insertPageProfile(
  { ctx, account }: PageRequest,
  input: PageProfileInput,
  browser: Browser,
  trust: PageTrust,
): Promise<{ pageProfile: PageProfile; ignored: readonly IgnoredWrite[] } | undefined> {
  if (input.email || input.company) return undefined;
  if (ctx.app.disk.isNearlyFull) return undefined;
  const isLimited = trust.proof === 'none';
  if (isLimited && !ctx.app.pageCounts.hasRoom(account.id, 'profiles')) return undefined;
  const { allowed, ignored, pageKeys } = checkPageWrite(nothingStored, input, trust);
  const values = new SeenValues({ integration: 'browser', isUnproven: isLimited });
  values.add('profile', unstamped.id, allowed.custom);
  const properties = values.list(ctx.now());
  if (!ctx.app.propertyRegistry.has(account.id, properties)) return undefined;
  const merged = mergeCustom({}, allowed.custom);
  const sources =
    merged && mergeSources(null, Object.keys(merged.custom), merged.custom, [ctx.now(), values.integration]);
  const custom = merged?.text ?? '{}';
  const custom_sources = sources ? JSON.stringify(sources) : null;
  const page_keys = JSON.stringify(pageKeys);
  const pageProfile = await ctx.writeCoalesced(insertPageProfileAtVersion, {
    ...unstamped,
    uid: input.uid,
    percent: drawPercent(),
    custom,
    custom_sources,
    page_keys,
    ...browser,
    version: account.version,
  });
  if (!pageProfile) return undefined;
  if (isLimited) {
    const properties = measureProperties(custom, custom_sources, page_keys, pageKeys.length);
    const bytes = measureRow('profile', { indexed: [input.uid] }) + properties;
    ctx.app.pageCounts.addStored(account.id, 'profiles', { records: 1, bytes });
  }
  ctx.app.propertyRegistry.record(account.id, withProfile(pageProfile.row.id, properties));
  return { pageProfile, ignored };
}

/** The samples of Properties name the profile that they come from, which has its ID only now. */
function withProfile(id: string, properties: readonly SeenProperty[]): SeenProperty[] {
  return properties.map((property) => ({
    ...property,
    samples: property.samples.map((sample) => ({ ...sample, of: id })),
  }));
}
