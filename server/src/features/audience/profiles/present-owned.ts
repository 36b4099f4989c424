import { createdAtOf, type EmbeddedProfile, type Expand, type Millis, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { embedProfiles } from './present-profile.ts';

/** For more IDs, PostgreSQL without statistics reads the whole account. */
const PROFILES_PER_QUERY = 50;

interface OwnedRow {
  id: string;
  updated_at: Millis;
  profile_id: string;
}

/** Presents records of profiles, each with its profile. Records of a profile that was forgotten meanwhile are left out. */
export async function presentOwned<Row extends OwnedRow, Shown extends object>(
  ctx: Context,
  rows: readonly Row[],
  expand: Expand,
  present: (row: Row) => Shown,
) {
  const profiles = await embedById(
    ctx,
    rows.map(({ profile_id }) => profile_id),
    expand,
  );
  return rows.flatMap((row) => {
    const profile = profiles.get(row.profile_id);
    if (!profile) return [];
    const times = { created_at: toTimestamp(createdAtOf(row)), updated_at: toTimestamp(row.updated_at) };
    return { id: row.id, ...times, ...present(row), profile };
  });
}

async function embedById(
  ctx: Context,
  params: readonly string[],
  expand: Expand,
): Promise<Map<string, EmbeddedProfile>> {
  const ids = [...new Set(params)];
  if (expand.profile === 'skip') return new Map(ids.map((id) => [id, { id }]));
  const rows = [];
  for (let start = 0; start < ids.length; start += PROFILES_PER_QUERY) {
    const query = ctx.db.selectFrom('profiles').selectAll().where('account_id', '=', ctx.account.id);
    rows.push(...(await query.where('id', 'in', ids.slice(start, start + PROFILES_PER_QUERY)).execute()));
  }
  const embedded = await embedProfiles(ctx, rows, expand);
  return new Map(embedded.map((profile) => [profile.id, profile]));
}
