import { createIdSource, type Millis } from '@usher/domain';
import type { Context } from '../../../context.ts';

/**
 * A context inside the same transaction whose clock stands at a time in the past. Records that a verb creates with it
 * have IDs and times of that time. The clock of the account is locked as usual.
 */
export function contextAt(ctx: Context, at: Millis): Context {
  const newId = createIdSource(() => at);
  const then: Context = {
    ...ctx,
    skipsAudit: true,
    now: () => at,
    newId,
    clock: async () => {
      const { tick } = await ctx.clock();
      return { tick, at, newRow: () => ({ account_id: ctx.account.id, id: newId(), updated_at: at }) };
    },
    transaction: (work) => work(then),
  };
  return then;
}
