import type { Document } from '@usher/domain';
import type { Context } from '../../context.ts';
import { type Publication, publishedVersionOf } from '../../published/publication.ts';

/** Loads what users see of these Experiences now, by the ID of its version. */
export async function loadPublished(ctx: Context, rows: readonly Publication[]): Promise<Map<string, Document>> {
  const ids = rows.flatMap((row) => publishedVersionOf(row, ctx.now()) ?? []);
  if (ids.length === 0) return new Map();
  const versions = await ctx.db
    .selectFrom('versions')
    .select(['id', 'content'])
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', ids)
    .execute();
  return new Map(versions.map(({ id, content }) => [id, content.document]));
}
