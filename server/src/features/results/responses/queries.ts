import type { StoredAnswer } from '@usher/domain';
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';

export type ResponseRow = Selectable<Schema['responses']>;

/** How a Response stores the Segments of its user: SQL counts objects. */
export function writeSegmentIds(ids: readonly string[]): string | null {
  return ids.length === 0 ? null : JSON.stringify(ids.map((id) => ({ id })));
}

export function readSegmentIds(text: string | null): string[] {
  return text === null ? [] : (JSON.parse(text) as { id: string }[]).map(({ id }) => id);
}

/** With more IDs, PostgreSQL without statistics reads the whole account. */
const BATCH_SIZE = 50;

/** Whether the user wrote something in an answer `a`: a text, or the other answer of a list, which is no item. Like `writtenIn`. */
export const hasWritten: RawBuilder<SqlBool> = sql`(a.input is not null
  or (a.value is not null and a.button_index is null and a.button_text is null))`;

export async function answersById(ctx: Context, ids: readonly string[]): Promise<Map<string, StoredAnswer[]>> {
  const byId = new Map<string, StoredAnswer[]>(ids.map((id) => [id, []]));
  for (const batch of batchesOf(ids)) {
    const rows = await ctx.db
      .selectFrom('answers')
      .selectAll()
      .where('account_id', '=', ctx.account.id)
      .where('response_id', 'in', batch)
      .orderBy('response_id')
      .orderBy('question_order')
      .orderBy('step_id')
      .execute();
    for (const row of rows) byId.get(row.response_id)?.push(row);
  }
  return byId;
}

export async function tagsById(ctx: Context, ids: readonly string[]): Promise<Map<string, string[]>> {
  const byId = new Map<string, string[]>(ids.map((id) => [id, []]));
  for (const batch of batchesOf(ids)) {
    const rows = await ctx.db
      .selectFrom('response_tags')
      .select(['response_id', 'name'])
      .where('account_id', '=', ctx.account.id)
      .where('response_id', 'in', batch)
      .orderBy('name')
      .execute();
    for (const { response_id, name } of rows) byId.get(response_id)?.push(name);
  }
  return byId;
}

/** What these profiles have for some custom properties, which are named as they are stored. */
export async function propertiesById(
  ctx: Context,
  profileIds: readonly string[],
  names: readonly string[],
): Promise<Map<string, Record<string, unknown>>> {
  const byId = new Map<string, Record<string, unknown>>();
  if (names.length === 0) return byId;
  for (const batch of batchesOf([...new Set(profileIds)])) {
    const rows = await ctx.db
      .selectFrom('profiles')
      .select(['id', 'custom'])
      .where('account_id', '=', ctx.account.id)
      .where('id', 'in', batch)
      .execute();
    for (const { id, custom } of rows)
      byId.set(
        id,
        Object.fromEntries(names.flatMap((name) => (Object.hasOwn(custom, name) ? [[name, custom[name]]] : []))),
      );
  }
  return byId;
}

function batchesOf(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / BATCH_SIZE) }, (_, at) =>
    ids.slice(at * BATCH_SIZE, (at + 1) * BATCH_SIZE),
  );
}

const scores = sql.join(Array.from({ length: 12 }, (_, score) => sql.lit(String(score))));

/** Stores the score of Responses: the first number that was given. Other answers, such as the item `5` of a list, have no such text. */
export async function storeScores(ctx: Pick<Context, 'account' | 'db'>, ids: readonly string[]): Promise<void> {
  for (const batch of batchesOf(ids))
    await sql`update responses set score = (
      select cast(a.value as integer) from answers as a
      where a.account_id = ${ctx.account.id} and a.response_id = responses.id
        and a.value in (${scores}) and a.button_text = a.value and a.choices is null
      order by a.question_order limit 1
    ) where account_id = ${ctx.account.id} and id in (${sql.join(batch)})`.execute(ctx.db);
}
