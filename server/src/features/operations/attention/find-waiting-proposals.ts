import { type AttentionEntry, timeOfId, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { listOpenIds, proposalsOf } from '../../experiences/proposals/queries.ts';

/** One entry for all proposals that wait, with the name of the oldest. */
export async function findWaitingProposals(ctx: Context): Promise<AttentionEntry[]> {
  const ids = await listOpenIds(ctx);
  const [oldest] = ids;
  if (oldest === undefined) return [];
  const row = await proposalsOf(ctx).where('id', '=', oldest).executeTakeFirst();
  return [
    {
      type: 'proposal_waiting',
      severity: 'warning',
      since: toTimestamp(timeOfId(oldest)),
      count: ids.length,
      target: { type: 'proposal', id: ids.length === 1 ? oldest : null, name: row?.document.name ?? '' },
      step: null,
    },
  ];
}
