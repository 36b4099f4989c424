import { propertyKinds } from '@usher/domain';
import type { Context } from '../../../context.ts';

/** Leaves out the names of events, which are in the same table. */
export function propertiesOf(ctx: Context) {
  return ctx.db
    .selectFrom('properties')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('kind', 'in', propertyKinds);
}
