import type { RegisteredKind, UpdateProperty } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../context.ts';
import type { Schema } from '../../db/schema.ts';
import { conflict, notFound } from '../../errors.ts';
import { listNameUses } from './list-name-uses.ts';

type NameRow = Selectable<Schema['properties']>;
/** The kinds that are meant, and what they are called in errors. */
interface Named {
  kinds: readonly RegisteredKind[];
  what: 'Property' | 'Event Name';
}

const MAX_LISTED = 10;

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
    const keys = Object.keys(params) as (keyof UpdateProperty)[];
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

/**
 * Deletes a name, and no values: it is registered again when it is sent again. Uses are looked for before the transaction, because
 * that reads all Experiences. One that is added meanwhile works without the name.
 */
export async function deleteName(ctx: Context, { kinds, what }: Named, id: string): Promise<NameRow> {
  // Otherwise the values that wait in memory could bring it back.
  await ctx.app.propertyRegistry.flush(ctx.account.id);
  const name = await nameById(ctx, kinds, id).executeTakeFirst();
  if (!name) throw notFound(what);
  const uses = await listNameUses(ctx, name);
  if (uses.length > 0) {
    const more = uses.length > MAX_LISTED ? ' and others' : '';
    throw conflict(
      `This ${what} is used by ${uses.slice(0, MAX_LISTED).join(', ')}${more}: take it out of them first, and publish what is published`,
    );
  }
  return ctx.transaction(async (ctx) => {
    // Transactions that register names take the clock before the rows, so this one does too.
    await ctx.clock();
    const deleted = await ctx.db
      .deleteFrom('properties')
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (!deleted) throw notFound(what);
    return deleted;
  });
}

function nameById(ctx: Context, kinds: readonly RegisteredKind[], id: string) {
  return ctx.db
    .selectFrom('properties')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('kind', 'in', kinds)
    .where('id', '=', id);
}
