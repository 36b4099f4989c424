import type { Experience, ExperienceKind, ExperienceOrder, ListedExperience, ListedState } from '@usher/domain';
import type { Context } from '../../context.ts';
import { type ListPage, listPage, type PageParameters } from '../../db/pagination/list-page.ts';
import { invalid, notFound } from '../../errors.ts';
import { usedInDraft } from './experiences-using.ts';
import { inState } from './in-state.ts';
import { type Filtered, readPageInOrder } from './page-in-order.ts';
import { presentExperiences } from './present-experience.ts';
import { presentListed } from './present-listed.ts';
import type { ExperienceRow } from './queries.ts';

/** The documents of a longer page are too much to read on the main thread: 500 are more than a megabyte. */
const MAX_QUICK_PAGE = 50;

interface ListParams extends PageParameters {
  kind?: ExperienceKind;
  archived?: boolean;
  state?: ListedState;
  url_group_id?: string;
  segment_id?: string;
  tag_id?: string;
  search?: string;
  order: ExperienceOrder;
  fields: 'all' | 'list';
  trend?: boolean;
}

/** Lists the Experiences of one kind, or of all kinds. */
export async function listExperiences(
  caller: Context,
  params: ListParams,
): Promise<ListPage<Experience | ListedExperience>> {
  const ctx = params.limit > MAX_QUICK_PAGE ? { ...caller, db: caller.heavyDb } : caller;
  if (params.trend && params.fields !== 'list') throw invalid('`trend` is for `fields=list`: give both');
  await checkFilters(ctx, params);
  const { rows, cursor } = await readPage(ctx, params);
  if (params.fields === 'list') return { rows: await presentListed(ctx, rows, params.trend ?? false), cursor };
  return { rows: await presentExperiences(ctx, rows), cursor };
}

function readPage(ctx: Context, { order, limit, before, after, ...filters }: ListParams) {
  // Counting the users of all Experiences takes long, so that query uses `heavyDb`.
  if (order !== 'created_at')
    return readPageInOrder(
      ctx,
      filterExperiences(order === 'started_count' ? { ...ctx, db: ctx.heavyDb } : ctx, filters),
      order,
      { limit, before, after },
    );
  if (typeof before === 'string' && before.includes(':'))
    throw invalid('`before` is of a list in another order: give the same `order` as for the page before');
  const query = filterExperiences(ctx, filters).selectAll();
  return listPage<never, never, ExperienceRow>(query as never, { limit, before, after } as PageParameters);
}

type Filters = Omit<ListParams, keyof PageParameters | 'order' | 'fields' | 'trend'>;

/** The Experiences of a list, without their order. */
export function filterExperiences(ctx: Context, filters: Filters): Filtered {
  const { kind, archived, state, url_group_id, segment_id, tag_id, search } = filters;
  let query: Filtered = ctx.db.selectFrom('experiences').where('account_id', '=', ctx.account.id);
  if (kind) query = query.where('kind', '=', kind);
  if (archived !== undefined) query = query.where('archived_at', archived ? 'is not' : 'is', null);
  if (state) query = query.where((eb) => inState(eb, state, ctx.now()));
  if (search)
    query = query.where((eb) => ctx.dialect.json.contains(eb.ref('name_key'), search.toLowerCase().toWellFormed()));
  if (url_group_id) query = query.where(usedInDraft(ctx, url_group_id));
  if (segment_id) query = query.where(usedInDraft(ctx, segment_id));
  if (tag_id) query = query.where(usedInDraft(ctx, tag_id));
  return query;
}

/** A filter by a record that the account does not have is a mistake, which an empty list would hide. */
async function checkFilters(ctx: Context, { url_group_id, segment_id, tag_id }: Filters): Promise<void> {
  const check = async (table: 'url_groups' | 'segments' | 'tags', id: string | undefined, what: string) => {
    if (id === undefined) return;
    // The type of one table stands for all: each has these columns.
    const query = ctx.db
      .selectFrom(table as 'tags')
      .select('id')
      .where('account_id', '=', ctx.account.id);
    if (!(await query.where('id', '=', id).executeTakeFirst())) throw notFound(what);
  };
  await check('url_groups', url_group_id, 'Environment');
  await check('segments', segment_id, 'Segment');
  await check('tags', tag_id, 'Tag');
}
