import type { ExperienceKind, ResultPeople } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { streamCsv, toCsvRow } from '../../../http/csv.ts';
import type { FileResponse } from '../../../http/file-response.ts';
import { ROWS_PER_CHUNK } from '../../../http/stream-file.ts';
import type { NamedProfile } from '../../audience/profiles/named-profiles.ts';
import { getExperience } from '../../experiences/queries.ts';
import { checkPeople } from './check-people.ts';
import { readAllPeople } from './list-people.ts';
import { type SelectedPeople, selectPeople } from './select-people.ts';

const columns = ['id', 'uid', 'email', 'name'] as const;

/** Downloads the people whom a number of the results counts. */
export async function exportPeople(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  params: ResultPeople,
): Promise<FileResponse> {
  await checkPeople(ctx, await getExperience(ctx, kind, id), params);
  return exportSelected(ctx, await selectPeople(ctx, id, params));
}

export function exportSelected(ctx: Context, selected: SelectedPeople): FileResponse {
  return streamPeople(ctx, (ctx) => readAllPeople(ctx, selected, ROWS_PER_CHUNK));
}

/** Downloads people whom another part of the results counts. */
export function streamPeople(
  ctx: Context,
  readAll: (ctx: Context) => AsyncIterable<readonly NamedProfile[]>,
): FileResponse {
  async function* write(ctx: Context): AsyncGenerator<string> {
    yield toCsvRow(columns);
    for await (const people of readAll(ctx))
      for (const person of people) yield toCsvRow(columns.map((name) => person[name]));
  }
  return streamCsv(ctx, 'people.csv', write);
}
