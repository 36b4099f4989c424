import type { ExperimentState } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { listPage, type PageParameters } from '../../../db/pagination/list-page.ts';
import { experimentsOf } from '../experiment-records/queries.ts';
import { presentExperiments } from './present-experiment.ts';

/** Lists experiments, newest first. */
export async function listExperiments(ctx: Context, { state, ...page }: PageParameters & { state?: ExperimentState }) {
  let query = experimentsOf(ctx);
  if (state) query = query.where('ended_at', state === 'ended' ? 'is not' : 'is', null);
  if (state === 'draft' || state === 'running')
    query = query.where('started_at', state === 'running' ? 'is not' : 'is', null);
  const { rows, cursor } = await listPage(query, page);
  return { experiments: await presentExperiments(ctx, rows), cursor };
}
