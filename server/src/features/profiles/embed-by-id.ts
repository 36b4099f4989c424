import type { EmbeddedProfile, Expand } from '@usher/domain';
import type { Context } from '../../context.ts';
import { embedProfiles } from './queries.ts';

/** For more at once, PostgreSQL without statistics reads the whole account. */
const PROFILES_AT_ONCE = 50;

/** The profiles of a page of something else. One that was forgotten meanwhile is not among them. */
export async function embedById(
  ctx: Context,
  given: readonly string[],
  expand: Expand,
): Promise<Map<string, EmbeddedProfile>> {
  const ids = [...new Set(given)];
  if (expand.profile === 'skip') return new Map(ids.map((id) => [id, { id }]));
  const rows = [];
  for (let at = 0; at < ids.length; at += PROFILES_AT_ONCE) {
    const query = ctx.db.selectFrom('profiles').selectAll().where('account_id', '=', ctx.account.id);
    rows.push(...(await query.where('id', 'in', ids.slice(at, at + PROFILES_AT_ONCE)).execute()));
  }
  const embedded = await embedProfiles(ctx, rows, expand);
  return new Map(embedded.map((profile) => [profile.id, profile]));
}
