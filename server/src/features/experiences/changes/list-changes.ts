import { type Change, firstIdAt, Text } from '@usher/domain';
import type { SelectQueryBuilder } from 'kysely';
import Type from 'typebox';
import type { Context } from '../../../context.ts';
import { type ListPage, listPage, MAX_PAGE_SIZE, type PageParameters } from '../../../db/pagination/list-page.ts';
import type { Schema } from '../../../db/schema.ts';
import { invalid } from '../../../errors.ts';
import { presentChanges } from './present-changes.ts';
import { type ChangeRow, changesOf } from './queries.ts';

const MAX_FILTERS = 20;
const IDS_PER_QUERY = 50;

const filters = Type.Optional(
  Type.Unsafe<string[]>({
    ...Type.Array(Text('the name of a property such as `title`')),
    maxItems: MAX_FILTERS,
    description: 'a list of property names such as `title,body`: only Changes that touch one of them',
  }),
);
/** `filter` is another name of `filters`. */
export const changeFilterParameters = { filters, filter: filters };

interface ListParams extends PageParameters {
  filters?: string[];
  filter?: string[];
}

type ChangeIds = SelectQueryBuilder<Schema, 'change_properties', { id: string }>;

interface Changes {
  changes: Change[];
  cursor: ListPage<unknown>['cursor'];
}

/** Lists the Changes of the account, or of one Experience, which may be deleted. */
export async function listChanges(
  ctx: Context,
  { filters = [], filter = [], ...page }: ListParams,
  experienceId?: string,
): Promise<Changes> {
  const properties = [...new Set([...filters, ...filter])];
  if (properties.length > MAX_FILTERS) throw invalid(`\`filters\` holds ${properties.length}: ${MAX_FILTERS} at most`);
  if (properties.length > 0) return listFiltered(ctx, properties, page, experienceId);
  const all = changesOf(ctx);
  const { rows, cursor } = await listPage(experienceId ? all.where('experience_id', '=', experienceId) : all, page);
  return { changes: await presentChanges(ctx, rows), cursor };
}

/**
 * Finds the IDs first: for each property its newest ones, in the order of an index. With a single query, both engines
 * may scan the whole feed until the page is full.
 */
async function listFiltered(
  ctx: Context,
  properties: readonly string[],
  page: PageParameters,
  experienceId: string | undefined,
): Promise<Changes> {
  const [first, ...others] = properties.map((property) => selectNewestIds(ctx, property, page, experienceId));
  const union = others.reduce((all, one) => all.union(one), first as ReturnType<typeof selectNewestIds>);
  const query = ctx.db.selectFrom(union.as('touching')).select('id');
  const { rows, cursor } = await listPage(query as unknown as ChangeIds, page);
  const ids = rows.map(({ id }) => id);
  return { changes: await presentChanges(ctx, await loadChanges(ctx, ids)), cursor };
}

function selectNewestIds(
  ctx: Context,
  property: string,
  { limit, before, after }: PageParameters,
  experienceId: string | undefined,
) {
  let query = ctx.db
    .selectFrom('change_properties')
    .select('change_id as id')
    .where('account_id', '=', ctx.account.id)
    .where('property', '=', property)
    .orderBy('change_id', 'desc')
    .limit(Math.min(limit, MAX_PAGE_SIZE) + 1);
  if (experienceId !== undefined) query = query.where('experience_id', '=', experienceId);
  if (before !== undefined)
    query = query.where('change_id', '<', typeof before === 'number' ? firstIdAt(before) : before);
  if (after !== undefined)
    query = query.where('change_id', '>=', typeof after === 'number' ? firstIdAt(after + 1) : after);
  return ctx.db.selectFrom(query.as('newest')).select('id');
}

/**
 * Loads 50 Changes with each query, in 0.3 ms from the index. For 500 IDs, PostgreSQL without statistics of the table
 * reads the whole account: 19 ms for 60,000 Changes.
 */
async function loadChanges(ctx: Context, ids: readonly string[]): Promise<ChangeRow[]> {
  const rows: ChangeRow[] = [];
  for (let start = 0; start < ids.length; start += IDS_PER_QUERY) {
    const some = ids.slice(start, start + IDS_PER_QUERY);
    rows.push(...(await changesOf(ctx).where('id', 'in', some).orderBy('id', 'desc').execute()));
  }
  return rows;
}
