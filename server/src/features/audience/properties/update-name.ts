import { keysOf, type RegisteredKind, type UpdateProperty } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { notFound } from '../../../errors.ts';

export type NameRow = Selectable<Schema['properties']>;
/** The kinds that are meant, and what they are called in errors. */
export interface Named {
  kinds: readonly RegisteredKind[];
  what: 'Property' | 'Event Name';
}

/** Changes a Property or the name of an event. The key never changes, because data is stored under it. */
export async function updateName(
  ctx: Context,
  { kinds, what }: Named,
  id: string,
  params: UpdateProperty,
): Promise<NameRow> {
  return ctx.transaction(async (ctx) => {
    const before = await ctx.dialect.lockRows(nameById(ctx, kinds, id)).executeTakeFirst();
    if (!before) throw notFound(what);
    const keys = keysOf(params);
    if (keys.every((key) => before[key] === params[key])) return before;
    return (
      ctx.db
        .updateTable('properties')
        // What an administrator has changed does not make room for new names.
        .set({ ...params, unproven: null, updated_at: ctx.now() })
        .where('account_id', '=', ctx.account.id)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
    );
  });
}

/** Finds a Property or the name of an event of these kinds. */
export function nameById(ctx: Context, kinds: readonly RegisteredKind[], id: string) {
  return ctx.db
    .selectFrom('properties')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('kind', 'in', kinds)
    .where('id', '=', id);
}
