import { type PersonDetails, type PersonProperty, readSources, toTimestamp, toTimestampOrNull } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { globalLimit } from '../../delivery/deliveries/queries.ts';
import { presentProfiles } from '../profile-search/present-profiles.ts';
import { getProfile, type ProfileRow } from '../profiles/queries.ts';
import { presentProperties } from './present-properties.ts';

/** Everything that the profile itself says about a person. */
export async function showPerson(ctx: Context, id: string): Promise<PersonDetails> {
  return presentDetails(ctx, await getProfile(ctx, { id }));
}

export async function presentDetails(ctx: Context, row: ProfileRow): Promise<PersonDetails> {
  const [summary] = await presentProfiles(ctx, [row]);
  return {
    ...(summary as NonNullable<typeof summary>),
    updated_at: toTimestamp(row.updated_at),
    test: row.test,
    last_cleared_at: toTimestampOrNull(row.last_cleared_at),
    percent: row.percent,
    browser_l: row.browser_l,
    browser_n: row.browser_n,
    browser_k: row.browser_k,
    browser_x: row.browser_x,
    browser_tz: row.browser_tz,
    delivery_ids: row.delivery_ids,
    delivery_ids_limit: await globalLimit(ctx),
    properties: await presentSentProperties(ctx, row),
  };
}

async function presentSentProperties(ctx: Context, row: ProfileRow): Promise<PersonProperty[]> {
  const sources = readSources(row.custom_sources);
  const byUnproven = new Set(row.page_keys);
  return (await presentProperties(ctx, 'profile', row.custom)).map((property) => {
    const sent = sources.get(property.prop);
    // What unproven pages sent was known before the sources were recorded.
    const isUnproven = byUnproven.has(property.prop);
    return {
      ...property,
      sent_at: sent ? toTimestamp(sent.at) : null,
      source: sent?.source ?? (isUnproven ? 'browser' : null),
      is_proven: isUnproven ? false : sent?.source === 'browser' ? true : null,
    };
  });
}
