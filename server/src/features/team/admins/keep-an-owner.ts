import type { Context } from '../../../context.ts';
import { conflict } from '../../../errors.ts';
import { type AdminRow, adminsOf } from './queries.ts';

/** Inside a transaction that has the clock: rejects a change that would leave the account without an owner. */
export async function keepAnOwner(ctx: Context, admin: AdminRow): Promise<void> {
  if (admin.role !== 'owner') return;
  const owners = await adminsOf(ctx).where('admins.role', '=', 'owner').execute();
  if (owners.length < 2)
    throw conflict(`${admin.name} is the last owner of this account: make somebody else an owner first`);
}
