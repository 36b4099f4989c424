import type { Segment } from '@usher/domain';
import type { Context } from '../../context.ts';
import { Refusal } from '../../errors.ts';
import { getSegment, presentSegment, segmentsOf, usersOf } from './queries.ts';

/** Whatever can refer to a Segment, by the name it has in addresses. */
const experienceKinds = ['tours', 'surveys', 'launchers', 'tooltips', 'embeds'];

/** What uses a Segment. Experiences cannot yet be made, so none of them does. */
export async function listSegmentUsers(ctx: Context, id: string, kind: string): Promise<Record<string, Segment[]>> {
  await getSegment(ctx, id);
  if (experienceKinds.includes(kind)) return { [kind]: [] };
  if (kind !== 'segments')
    throw new Refusal(404, [`What uses a Segment is one of ${['segments', ...experienceKinds].join(', ')}`]);
  const users = usersOf(id, await segmentsOf(ctx).execute());
  return { segments: users.map(presentSegment).reverse() };
}
