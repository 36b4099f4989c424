import { type Custom, emailKey, exceedsCustomLimit, mergeCustom, mergeSources, readSources } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { globalLimit } from '../../delivery/deliveries/queries.ts';
import type { ProfileRow } from '../profiles/queries.ts';
import { loadTestUserRule } from '../profiles/test-user-rule.ts';

/**
 * Deletes the row of an anonymous profile whose use has moved, and fills gaps of the known profile with what it had. Where both have a
 * value, that of the known profile stays.
 */
export async function mergeProfileRow(ctx: Context, anonymous: ProfileRow, known: ProfileRow): Promise<void> {
  const pending = await placePending(ctx, anonymous, known);
  await ctx.db.deleteFrom('profiles').where('account_id', '=', ctx.account.id).where('id', '=', anonymous.id).execute();
  const email = known.email ?? anonymous.email;
  const isTestUser = await loadTestUserRule(ctx);
  await ctx.db
    .updateTable('profiles')
    .set({
      updated_at: ctx.now(),
      email,
      email_key: email === null ? null : emailKey(email),
      is_test: isTestUser({ ...known, email }),
      company_id: known.company_id ?? anonymous.company_id,
      ...fillBrowser(anonymous, known),
      last_seen_at: Math.max(known.last_seen_at ?? 0, anonymous.last_seen_at ?? 0) || null,
      last_seen_session_count: known.last_seen_session_count + anonymous.last_seen_session_count,
      delivery_ids: JSON.stringify(pending),
      ...fillProperties(anonymous, known),
    })
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', known.id)
    .execute();
  await ctx.db
    .insertInto('merged_profiles')
    .values({ account_id: ctx.account.id, id: anonymous.id, profile_id: known.id, at: ctx.now() })
    .execute();
}

function fillBrowser(anonymous: ProfileRow, known: ProfileRow) {
  return {
    browser_x: known.browser_x ?? anonymous.browser_x,
    browser_tz: known.browser_tz ?? anonymous.browser_tz,
    browser_l: known.browser_l ?? anonymous.browser_l,
    browser_n: known.browser_n ?? anonymous.browser_n,
    browser_k: known.browser_k ?? anonymous.browser_k,
  };
}

/** The properties that only the anonymous profile has, with who wrote them. One that is too large for the known profile is left out. */
function fillProperties(anonymous: ProfileRow, known: ProfileRow) {
  const sources = readSources(anonymous.custom_sources);
  const byPages = new Set(anonymous.page_keys);
  let filled: { custom: Custom; text: string } = { custom: known.custom, text: JSON.stringify(known.custom) };
  let pageKeys = known.page_keys;
  let customSources = known.custom_sources;
  for (const [key, value] of Object.entries(anonymous.custom)) {
    if (Object.hasOwn(known.custom, key)) continue;
    const merged = mergeCustom(filled.custom, { [key]: value });
    const keys = byPages.has(key) ? [...pageKeys, key] : pageKeys;
    if (!merged || exceedsCustomLimit(merged, keys)) continue;
    [filled, pageKeys] = [merged, keys];
    const source = sources.get(key);
    if (source) customSources = mergeSources(customSources, [key], merged.custom, [source.at, source.source]);
  }
  return {
    custom: filled.text,
    page_keys: JSON.stringify(pageKeys),
    custom_sources: customSources && JSON.stringify(customSources),
  };
}

/**
 * The pending Deliveries of the known profile come first, then those of the anonymous one, in their order. Above the limit of the
 * account, they are removed from the end, as a new Delivery would drop them.
 */
async function placePending(ctx: Context, anonymous: ProfileRow, known: ProfileRow): Promise<readonly string[]> {
  if (anonymous.delivery_ids.length === 0) return known.delivery_ids;
  const limit = Math.max(await globalLimit(ctx), known.delivery_ids.length);
  const all = [...known.delivery_ids, ...anonymous.delivery_ids];
  const removed = all.slice(limit);
  if (removed.length > 0)
    await ctx.db
      .updateTable('deliveries')
      .set({ removed_at: ctx.now(), updated_at: ctx.now() })
      .where('account_id', '=', ctx.account.id)
      .where('id', 'in', removed)
      .execute();
  return all.slice(0, limit);
}
