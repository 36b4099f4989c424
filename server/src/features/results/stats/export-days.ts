import { countedActivities, type ExperienceKind } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { streamCsv, toCsvRow } from '../../../http/csv.ts';
import type { FileResponse } from '../../../http/file-response.ts';
import type { DayParams } from './answers-in.ts';
import { showStats } from './show-stats.ts';

const columns = ['day', ...countedActivities] as const;

/** Downloads the counts of each day. */
export async function exportDays(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  params: DayParams,
): Promise<FileResponse> {
  const { days } = await showStats(ctx, kind, id, params);
  async function* write(): AsyncGenerator<string> {
    yield toCsvRow(columns);
    for (const day of days) yield toCsvRow(columns.map((column) => day[column]));
  }
  return streamCsv(ctx, 'days.csv', write);
}
