import { emailKey, type FindPeople, type PersonSummary } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Within } from '../../../db/pagination/chunk-size.ts';
import { listPage } from '../../../db/pagination/list-page.ts';
import { type ScannedPage, scanPage } from '../../../db/pagination/scan-page.ts';
import { getCompany } from '../companies/queries.ts';
import type { ProfileRow } from '../profiles/queries.ts';
import { queryProfiles } from '../profiles/query-profiles.ts';
import { presentProfiles } from './present-profiles.ts';
import { readPlainPlace, searchByText, type TextSearch } from './search-by-text.ts';
import { casesOf, nameContains, startsWith } from './text-sql.ts';

const idColumn = 'profiles.id';

/** Lists profiles, newest first: all, or the profiles of a Company or Segment, or the profiles that match filters or a text. */
export async function findProfiles(
  ctx: Context,
  params: FindPeople,
): Promise<{ profiles: PersonSummary[]; is_complete: boolean; cursor: ScannedPage<unknown>['cursor'] }> {
  const { rows, isComplete, cursor } = await readPage(ctx, params);
  return { profiles: await presentProfiles(ctx, rows), is_complete: isComplete, cursor };
}

async function readPage(ctx: Context, params: FindPeople): Promise<ScannedPage<ProfileRow>> {
  const { text, segment_id, filters = [], limit, before } = params;
  const search = await buildSearch(ctx, params);
  if (text !== undefined) {
    return searchByText(ctx, { ...search, ...textOf(ctx, text) }, { limit, before });
  }
  const place = readPlainPlace(before);
  const page = { limit, ...(place !== undefined && { before: place }) };
  if (segment_id !== undefined || filters.length > 0) return scanPage({ ...search, now: ctx.now }, page);
  return { ...(await listPage(search.matching(), page, idColumn)), isComplete: true };
}

/** Builds the queries that every search needs, without the conditions of a text. */
export async function buildSearch(ctx: Context, { company_id, segment_id, filters = [], filters_op }: FindPeople) {
  const query = await queryProfiles(ctx, { ...(segment_id !== undefined && { segment_id }), filters, filters_op });
  const matching = (within?: Within) => query(within).selectAll('profiles');
  const table = ctx.heavyDb.selectFrom('profiles').where('profiles.account_id', '=', ctx.account.id);
  if (company_id === undefined) return { table, all: table, matching, idColumn };
  const company = await getCompany(ctx, { id: company_id });
  return {
    table,
    all: table.where('profiles.company_id', '=', company.id),
    matching: (within?: Within) => matching(within).where('profiles.company_id', '=', company.id),
    idColumn,
  };
}

export function textOf(ctx: Context, text: string): Pick<TextSearch<'profiles', ProfileRow>, 'beginnings' | 'name'> {
  const wanted = text.trim();
  return {
    beginnings: [
      ...casesOf(wanted).map((uid) => startsWith(sql.ref('profiles.uid'), uid)),
      startsWith(sql.ref('profiles.email_key'), emailKey(wanted)),
    ],
    name: nameContains(sql.ref('profiles.custom'), wanted, ctx.dialect.json),
  };
}
