import type { ExperienceKind } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';

interface NamedExperience {
  id: string;
  kind: ExperienceKind;
  name: string;
}

interface ListedExperiences {
  /** The IDs of the Experiences that are published, were published or are scheduled to be, in the order of their priority. */
  published: string[];
  /** The published Experiences, and the other Experiences that the caller names. */
  byId: Map<string, NamedExperience>;
}

/** The names are in the drafts, which may be large, so reading them must not delay page loads. */
export async function listExperiences(ctx: Context, alsoIds: readonly string[]): Promise<ListedExperiences> {
  const rows = await ctx.heavyDb
    .selectFrom('experiences')
    .select(['id', 'kind', ctx.dialect.json.text(sql.ref('draft'), ['name']).as('name')])
    .where('account_id', '=', ctx.account.id)
    .where('archived_at', 'is', null)
    .where((eb) => eb.or([eb('published_at', 'is not', null), eb('next_published_at', 'is not', null)]))
    .orderBy('position')
    .orderBy('sort_key')
    .orderBy('id')
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const row of await findByIds(
    ctx,
    alsoIds.filter((id) => !byId.has(id)),
  ))
    byId.set(row.id, row);
  return { published: rows.map(({ id }) => id), byId };
}

async function findByIds(ctx: Context, ids: readonly string[]): Promise<NamedExperience[]> {
  if (ids.length === 0) return [];
  return ctx.heavyDb
    .selectFrom('experiences')
    .select(['id', 'kind', ctx.dialect.json.text(sql.ref('draft'), ['name']).as('name')])
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', [...ids])
    .execute();
}
