import type { SegmentItem } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';

const ROWS_PER_QUERY = 200;

/**
 * Rewrites the filters and the names of Segments that Changes contain. Only Changes with a name, or with a filter by `id`,
 * `uid` or `email`, are read: no other filter names a user.
 */
export async function scrubChanges(
  ctx: Context,
  scrub: (items: SegmentItem[]) => SegmentItem[],
  scrubName: (name: string, isNamed: boolean) => string,
): Promise<void> {
  const text = sql<string>`cast(${sql.ref('object')} as text)`;
  for (let last: string | undefined = ''; last !== undefined; ) {
    const rows: { id: string; object: Record<string, unknown> }[] = await ctx.db
      .selectFrom('changes')
      .select(['id', 'object'])
      .where('account_id', '=', ctx.account.id)
      // SQLite uses the partial index only for a literal.
      .where('kind', '=', sql.lit('related'))
      .where('id', '>', last)
      .where(({ or }) =>
        or(['"id"', '"uid"', '"email"', '"name"'].map((prop) => ctx.dialect.json.contains(text, prop))),
      )
      .orderBy('id')
      .limit(ROWS_PER_QUERY)
      .execute();
    for (const { id, object } of rows) {
      const items = (object.items as SegmentItem[][] | undefined)?.map(scrub);
      const isNamed = JSON.stringify(items) !== JSON.stringify(object.items);
      const name = (object.name as string[] | undefined)?.map((one) => scrubName(one, isNamed));
      if (!isNamed && JSON.stringify(name) === JSON.stringify(object.name)) continue;
      await ctx.db
        .updateTable('changes')
        .set({ object: JSON.stringify({ ...object, ...(items && { items }), ...(name && { name }) }) })
        .where('account_id', '=', ctx.account.id)
        .where('id', '=', id)
        .execute();
    }
    last = rows.length === ROWS_PER_QUERY ? rows.at(-1)?.id : undefined;
  }
}
