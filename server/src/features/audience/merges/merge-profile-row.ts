import { emailKey, listKeysToTakeOver, mergeCustom, mergeSources, type PageTrust, readSources } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { globalLimit } from '../../delivery/deliveries/queries.ts';
import type { ProfileRow } from '../profiles/queries.ts';
import { loadTestUserRule } from '../profiles/test-user-rule.ts';

/**
 * Deletes the row of an anonymous profile whose use has moved, and fills gaps of the known profile with what it had. Where both have a
 * value, that of the known profile stays.
 */
export async function mergeProfileRow(
  ctx: Context,
  anonymous: ProfileRow,
  known: ProfileRow,
  trust: PageTrust,
): Promise<void> {
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
      ...fillProperties(anonymous, known, trust),
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

/** The properties that only the anonymous profile has, with who wrote them. What the known profile has no room for is left out. */
function fillProperties(anonymous: ProfileRow, known: ProfileRow, trust: PageTrust) {
  const [mine, theirs] = [known, anonymous].map(({ custom, page_keys }) => ({ custom, pageKeys: page_keys }));
  const keys = mine && theirs ? listKeysToTakeOver(mine, theirs, trust) : [];
  const merged = mergeCustom(known.custom, Object.fromEntries(keys.map((key) => [key, anonymous.custom[key] ?? null])));
  const custom = merged?.custom ?? known.custom;
  const sources = readSources(anonymous.custom_sources);
  const byPages = new Set(anonymous.page_keys);
  const customSources = keys.reduce((all, key) => {
    const source = sources.get(key);
    return source ? mergeSources(all, [key], custom, [source.at, source.source]) : all;
  }, known.custom_sources);
  return {
    custom: JSON.stringify(custom),
    page_keys: JSON.stringify([...known.page_keys, ...keys.filter((key) => byPages.has(key))]),
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
