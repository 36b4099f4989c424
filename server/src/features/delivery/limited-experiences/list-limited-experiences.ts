import {
  type Experience,
  type ExperienceKind,
  listKindsWith,
  readLimitKind,
  type ShownLimitGroup,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { type ListPage, listPage, type PageParameters } from '../../../db/pagination/list-page.ts';
import { usesOf } from '../../experiences/experiences-using.ts';
import { presentExperiences } from '../../experiences/present-experience.ts';
import { experiencesOf } from '../../experiences/queries.ts';
import { presentLimitGroup } from '../limit-groups/present-limit-group.ts';
import { getLimitGroup, type LimitGroupRow } from '../limit-groups/queries.ts';

interface LimitedExperiences {
  experiences: Experience[];
  limit_group: ShownLimitGroup;
  cursor: ListPage<unknown>['cursor'];
}

/** Lists the Experiences that a limit group limits: all of them, or only published ones. */
export async function listLimitedExperiences(
  ctx: Context,
  id: string,
  { filter, ...page }: PageParameters & { filter: 'all' | 'published_at' },
): Promise<LimitedExperiences> {
  const group = await getLimitGroup(ctx, id);
  let query = limitedBy(ctx, group);
  if (filter === 'published_at')
    query = query.where((eb) => eb.or([eb('version_id', 'is not', null), eb('next_version_id', 'is not', null)]));
  const { rows, cursor } = await listPage(query, page);
  return { experiences: await presentExperiences(ctx, rows), limit_group: presentLimitGroup(group), cursor };
}

/** The same rule as `isInGroup`, in SQL. */
function limitedBy(ctx: Context, group: LimitGroupRow) {
  const limited = readLimitKind(group);
  const exclusive: readonly ExperienceKind[] = listKindsWith('isExclusive');
  const query = experiencesOf(ctx).where('kind', 'in', exclusive);
  if (limited === 'campaigns') return query.where('id', 'in', group.experience_ids);
  if (limited === 'tags') return query.where('id', 'in', usesOf(ctx, group.tag_ids));
  return group.experience_kind === null ? query : query.where('kind', '=', group.experience_kind);
}
