import type { Experience } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { type ListPage, listPage, type PageParameters } from '../../../db/pagination/list-page.ts';
import { presentExperiences } from '../../experiences/present-experience.ts';
import { experiencesOf } from '../../experiences/queries.ts';
import { isMember } from './is-member.ts';

interface GroupExperiences {
  experiences: Experience[];
  cursor: ListPage<unknown>['cursor'];
}

/** Lists the Experiences that a group is about: all of them, or only published ones. */
export async function listGroupExperiences(
  ctx: Context,
  group: Parameters<typeof isMember>[1],
  { filter, ...page }: PageParameters & { filter: 'all' | 'published_at' },
): Promise<GroupExperiences> {
  let query = experiencesOf(ctx).where(isMember(ctx, group));
  if (filter === 'published_at')
    query = query.where((eb) => eb.or([eb('version_id', 'is not', null), eb('next_version_id', 'is not', null)]));
  const { rows, cursor } = await listPage(query, page);
  return { experiences: await presentExperiences(ctx, rows), cursor };
}
