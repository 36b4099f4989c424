import { type ListedExperience, modelTypeOf, sortKeyBetween } from '@usher/domain';
import { type SqlBool, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { conflict, invalid } from '../../errors.ts';
import { bumpPublishedVersion } from '../../published/bump-published-version.ts';
import { lockExperiences } from './change-environments.ts';
import { insertChanges } from './changes/record-changes.ts';
import { presentListed } from './present-listed.ts';
import { isPublished } from './publish.ts';
import type { ExperienceRow } from './queries.ts';
import { MAX_SORT_KEY, renewSortKeys } from './renew-sort-keys.ts';
import { storeDrafts } from './store-drafts.ts';

const MAX_ATTEMPTS = 3;

interface Move {
  id: string;
  before_id?: string;
  after_id?: string;
}

/** Moves an Experience in the order of priority. It takes effect for the next page load, without publishing. */
export async function moveExperience(ctx: Context, move: Move): Promise<ListedExperience> {
  let result = await tryMove(ctx, move);
  for (let attempt = 0; 'crowded' in result && attempt < MAX_ATTEMPTS; attempt++) {
    await renewSortKeys(ctx, result.crowded);
    result = await tryMove(ctx, move);
  }
  if ('crowded' in result) throw conflict('The order has changed at the same moment: move it again');
  const [shown] = await presentListed(ctx, [result.moved], false);
  return shown as ListedExperience;
}

/** Moves the Experience. Returns the position, if no key fits between the two neighbors there. */
function tryMove(
  ctx: Context,
  { id, before_id, after_id }: Move,
): Promise<{ moved: ExperienceRow } | { crowded: number }> {
  const neighborIds = [before_id, after_id].filter((one) => one !== undefined);
  return ctx.transaction(async (ctx) => {
    const rows = await lockExperiences(ctx, [id, ...neighborIds]);
    const row = rows.find((one) => one.id === id);
    const neighbor = rows.find((one) => one.id === neighborIds[0]);
    if (!row || !neighbor || neighborIds.length > 1)
      throw invalid('`before_id` is required, or `after_id`: give the ID of the Experience that is to be next to it');
    if (neighbor === row) throw invalid('`before_id` and `after_id` must be of another Experience');
    // A concurrent move to the same place locks other rows, and without the clock it would get the same key.
    await ctx.clock();
    const isBefore = before_id !== undefined;
    const other = await findNext(ctx, neighbor, isBefore ? 'before' : 'after', id);
    // An Experience at another position does not limit the sort key.
    const limit = other?.position === neighbor.position ? other.sort_key : undefined;
    const sortKey = isBefore
      ? sortKeyBetween(limit ?? '', neighbor.sort_key)
      : sortKeyBetween(neighbor.sort_key, limit);
    if (sortKey === undefined || sortKey.length > MAX_SORT_KEY) return { crowded: neighbor.position };
    return { moved: await storeMove(ctx, row, neighbor.position, sortKey) };
  });
}

/** Finds the Experience directly before or after another, without the one that is moved. */
function findNext(ctx: Context, { position, sort_key, id }: ExperienceRow, side: 'before' | 'after', movedId: string) {
  const direction = side === 'before' ? 'desc' : 'asc';
  return ctx.db
    .selectFrom('experiences')
    .select(['position', 'sort_key'])
    .where('account_id', '=', ctx.account.id)
    .where('id', '<>', movedId)
    .where(
      sql<SqlBool>`(position, sort_key, id) ${sql.raw(side === 'before' ? '<' : '>')} (${position}, ${sort_key}, ${id})`,
    )
    .orderBy('position', direction)
    .orderBy('sort_key', direction)
    .orderBy('id', direction)
    .limit(1)
    .executeTakeFirst();
}

async function storeMove(ctx: Context, row: ExperienceRow, position: number, sortKey: string): Promise<ExperienceRow> {
  if (position !== row.position) {
    const [stored] = await storeDrafts(ctx, [{ row, draft: { ...row.draft, position }, sortKey }]);
    return stored as ExperienceRow;
  }
  const moved = { ...row, sort_key: sortKey };
  const [from, to] = [await countBefore(ctx, row), await countBefore(ctx, moved)];
  if (from === to) return row;
  await ctx.db
    .updateTable('experiences')
    .set({ sort_key: sortKey })
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', row.id)
    .execute();
  await recordMove(ctx, row, [from, to]);
  if (isPublished(row)) await bumpPublishedVersion(ctx);
  return moved;
}

async function countBefore(ctx: Context, { position, sort_key, id }: ExperienceRow): Promise<number> {
  const { count } = await ctx.db
    .selectFrom('experiences')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', ctx.account.id)
    .where('id', '<>', id)
    .where(sql<SqlBool>`(position, sort_key, id) < (${position}, ${sort_key}, ${id})`)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The document does not change, so this Change is of the kind `related`: going back to an older state skips it. */
async function recordMove(ctx: Context, row: ExperienceRow, place: [from: number, to: number]): Promise<void> {
  const { id } = (await ctx.clock()).newRow();
  const change = {
    id,
    write_id: id,
    experience_id: row.id,
    model_id: row.id,
    model_type: modelTypeOf(row.kind),
    op: 'update' as const,
    path: 'order',
    object: { position: place },
    options: { capture_id: [row.captures[row.id] ?? null, null] as [unknown, unknown] },
  };
  await insertChanges(ctx, [change], 'related');
}
