import type { SegmentItem } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';

const ROWS_AT_ONCE = 200;

/**
 * What Changes tell of a Segment, written anew by `scrub`. Only Segments that pick users by name are read: they have one
 * of these properties in them, however the name itself is written.
 */
export async function scrubChanges(ctx: Context, scrub: (items: SegmentItem[]) => SegmentItem[]): Promise<void> {
  const text = sql<string>`cast(${sql.ref('object')} as text)`;
  for (let last: string | undefined = ''; last !== undefined; ) {
    const rows: { id: string; object: Record<string, unknown> }[] = await ctx.db
      .selectFrom('changes')
      .select(['id', 'object'])
      .where('account_id', '=', ctx.account.id)
      // As a literal: only then SQLite reads the index of these alone.
      .where('kind', '=', sql.lit('related'))
      .where('id', '>', last)
      .where(({ or }) => or(['"id"', '"uid"', '"email"'].map((prop) => ctx.dialect.json.contains(text, prop))))
      .orderBy('id')
      .limit(ROWS_AT_ONCE)
      .execute();
    for (const { id, object } of rows) {
      if (!object.items) continue;
      const items = (object.items as SegmentItem[][]).map(scrub);
      if (JSON.stringify(items) === JSON.stringify(object.items)) continue;
      await ctx.db
        .updateTable('changes')
        .set({ object: JSON.stringify({ ...object, items }) })
        .where('account_id', '=', ctx.account.id)
        .where('id', '=', id)
        .execute();
    }
    last = rows.length === ROWS_AT_ONCE ? rows.at(-1)?.id : undefined;
  }
}
