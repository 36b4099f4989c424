import type { ExperienceKind, ResultPeople } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { PageParameters } from '../../../db/pagination/list-page.ts';
import { MAX_SEARCH_MS, type ScannedPage, scanPage } from '../../../db/pagination/scan-page.ts';
import { loadNamedProfiles, type NamedProfile } from '../../audience/profiles/named-profiles.ts';
import { getExperience } from '../../experiences/queries.ts';
import { checkPeople } from './check-people.ts';
import { type SelectedPeople, selectPeople } from './select-people.ts';

export interface PeoplePage {
  people: NamedProfile[];
  is_complete: boolean;
  cursor: ScannedPage<unknown>['cursor'];
}

/** Lists the people whom a number of the results counts, newest users first. */
export async function listPeople(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  { limit, before, after, ...params }: ResultPeople & PageParameters,
): Promise<PeoplePage> {
  await checkPeople(ctx, await getExperience(ctx, kind, id), params);
  return readPeople(ctx, await selectPeople(ctx, id, params), { limit, before, after });
}

export async function readPeople(
  ctx: Context,
  { idColumn, all, matching }: SelectedPeople,
  page: PageParameters,
  maxMs?: number,
): Promise<PeoplePage> {
  const scan = {
    all,
    matching: (within: Parameters<typeof matching>[0]) => matching(within).select(sql.ref<string>(idColumn).as('id')),
    idColumn,
    now: ctx.now,
    signal: ctx.request?.signal,
    ...(maxMs !== undefined && { maxMs }),
  };
  const { rows, isComplete, cursor } = await scanPage(scan, page);
  const profiles = await loadNamedProfiles(
    ctx,
    rows.map(({ id }) => id),
  );
  // Somebody may be forgotten meanwhile.
  const people = rows.flatMap(({ id }) => profiles.get(id) ?? []);
  return { people, is_complete: isComplete, cursor };
}

/** Reads everybody, page by page. */
export async function* readAllPeople(ctx: Context, selected: SelectedPeople, limit: number) {
  for (let before: string | undefined; ; ) {
    const page: PeoplePage = await readPeople(ctx, selected, { limit, before, after: undefined }, MAX_SEARCH_MS);
    yield page.people;
    if (page.cursor.before === null) return;
    before = page.cursor.before;
  }
}
