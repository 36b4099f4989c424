import { type Expand, MAX_RESPONSE_TAGS, type Response, type UpdateResponses } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { invalid, notFound } from '../../../errors.ts';
import { presentResponses } from './present-responses.ts';
import { tagsById } from './queries.ts';

const expand: Expand = { profile: 'min', company: 'min' };
/** With more rows, a statement has too many values. */
const ROWS_PER_WRITE = 100;

/** Adds Tags to Responses, and removes others. If one of the Responses does not exist, nothing changes. */
export async function updateResponses(
  ctx: Context,
  { ids, add_tags = [], remove_tags = [] }: UpdateResponses,
): Promise<Response[]> {
  const wanted = [...new Set(ids)];
  const added = distinct(add_tags);
  const removed = distinct(remove_tags);
  if (added.some((name) => removed.includes(name)))
    throw invalid('`add_tags` and `remove_tags` must not name the same Tag');
  return ctx.transaction(async (ctx) => {
    const rows = await lockResponses(ctx, wanted);
    const known = await tagsById(ctx, wanted);
    const missing = rows.flatMap(({ id, experience_id, profile_id }) => {
      const has = known.get(id) ?? [];
      const names = added.filter((name) => !has.includes(name));
      const left = has.filter((name) => !removed.includes(name)).length + names.length;
      if (left > MAX_RESPONSE_TAGS)
        throw invalid(`\`add_tags\` would give a Response ${left} Tags: ${MAX_RESPONSE_TAGS} at most`);
      return names.map((name) => ({ account_id: ctx.account.id, response_id: id, name, experience_id, profile_id }));
    });
    if (removed.length > 0)
      await ctx.db
        .deleteFrom('response_tags')
        .where('account_id', '=', ctx.account.id)
        .where('response_id', 'in', wanted)
        .where('name', 'in', removed)
        .execute();
    for (let at = 0; at < missing.length; at += ROWS_PER_WRITE)
      await ctx.db
        .insertInto('response_tags')
        .values(missing.slice(at, at + ROWS_PER_WRITE))
        .execute();
    const changed = new Set(missing.map(({ response_id }) => response_id));
    for (const [id, names] of known) if (names.some((name) => removed.includes(name))) changed.add(id);
    if (changed.size === 0) return presentResponses(ctx, rows, expand, { details: true });
    // So that clients that ask for changes get it.
    const { at: updated_at, tick: updated_tick } = await ctx.clock();
    await ctx.db
      .updateTable('responses')
      .set({ updated_at, updated_tick })
      .where('account_id', '=', ctx.account.id)
      .where('id', 'in', [...changed])
      .execute();
    const after = rows.map((row) => (changed.has(row.id) ? { ...row, updated_at, updated_tick } : row));
    return presentResponses(ctx, after, expand, { details: true });
  });
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.trim()))];
}

/** Locks the users, as transactions that delete a Response or its user do, so no Tag is left without a Response. */
async function lockResponses(ctx: Context, ids: readonly string[]) {
  const find = () =>
    ctx.db
      .selectFrom('responses')
      .selectAll()
      .where('account_id', '=', ctx.account.id)
      .where('id', 'in', ids)
      .orderBy('id', 'desc')
      .execute();
  const owners = [...new Set((await find()).map(({ profile_id }) => profile_id))];
  if (owners.length > 0)
    await ctx.dialect
      .lockRows(
        ctx.db
          .selectFrom('profiles')
          .select('id')
          .where('account_id', '=', ctx.account.id)
          .where('id', 'in', owners)
          .orderBy('id'),
      )
      .execute();
  const rows = await find();
  if (rows.length < ids.length) throw notFound('response');
  return rows;
}
