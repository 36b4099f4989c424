import type { Experience, ExperienceKind } from '@usher/domain';
import type { Context } from '../../context.ts';
import { type ListPage, listPage, type PageParameters } from '../../db/pagination/list-page.ts';
import { experiencesOf, presentExperiences } from './queries.ts';

interface ListParams extends PageParameters {
  archived?: boolean;
}

/** Lists the Experiences of one kind, or of all kinds. */
export async function listExperiences(
  ctx: Context,
  kind: ExperienceKind | undefined,
  { archived, ...page }: ListParams,
): Promise<ListPage<Experience>> {
  let query = experiencesOf(ctx);
  if (kind) query = query.where('kind', '=', kind);
  if (archived !== undefined) query = query.where('archived_at', archived ? 'is not' : 'is', null);
  const { rows, cursor } = await listPage(query, page);
  return { rows: await presentExperiences(ctx, rows), cursor };
}
