import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { lockPerson } from '../persons/queries.ts';

/** The administrators of the account, without removed administrators. */
export function adminsOf(ctx: Context) {
  return ctx.db
    .selectFrom('admins')
    .innerJoin('people', 'people.id', 'admins.person_id')
    .select(['admins.id', 'admins.person_id', 'admins.role', 'admins.updated_at', 'people.name', 'people.email'])
    .select((eb) =>
      eb
        .selectFrom('sessions')
        .select((sessions) => sessions.fn.max('sessions.last_used_at').as('last_used_at'))
        .whereRef('sessions.person_id', '=', 'admins.person_id')
        .whereRef('sessions.account_id', '=', 'admins.account_id')
        .as('last_used_at'),
    )
    .where('admins.account_id', '=', ctx.account.id)
    .where('admins.removed_at', 'is', null);
}

export type AdminRow = Awaited<ReturnType<ReturnType<typeof adminsOf>['executeTakeFirstOrThrow']>>;

export async function getAdmin(ctx: Context, id: string): Promise<AdminRow> {
  const row = await adminsOf(ctx).where('admins.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('administrator');
  return row;
}

/** Inside a transaction: ends the sessions of an administrator in the account. Their sessions in other accounts go on. */
export async function endSessionsIn(ctx: Context, { person_id }: AdminRow, exceptId = ''): Promise<void> {
  await lockPerson(ctx, person_id);
  await ctx.db
    .updateTable('sessions')
    .set({ ended_at: ctx.now() })
    .where('person_id', '=', person_id)
    .where('account_id', '=', ctx.account.id)
    .where('id', '<>', exceptId)
    .where('ended_at', 'is', null)
    .execute();
}

/** Inside a transaction: withdraws the invitations of somebody who may not invite any more. */
export async function withdrawInvitations(ctx: Context, adminId: string): Promise<void> {
  await ctx.db
    .updateTable('links')
    .set({ used_at: ctx.now() })
    .where('account_id', '=', ctx.account.id)
    .where('created_by', '=', adminId)
    .where('used_at', 'is', null)
    .execute();
}
