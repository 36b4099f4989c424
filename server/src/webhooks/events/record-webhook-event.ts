import { asksFor, type Tidings } from '@usher/domain';
import type { Context } from '../../context.ts';
import { FixedQuery } from '../../db/prepared-query.ts';
import type { LiveAccount } from '../../published/published-cache.ts';

/**
 * In the transaction of what is told: one row, however many webhooks ask for it. It is spread to them when one of them
 * can be sent more. Whether there is anything to send then: after the commit, `ctx.webhooks.wake`.
 */
export async function tell(
  ctx: Context,
  { webhooks }: Pick<LiveAccount, 'webhooks'>,
  profile_id: string,
  tidings: readonly Tidings[],
): Promise<boolean> {
  let written = false;
  for (const one of tidings) {
    const asking = webhooks.filter((webhook) => asksFor(webhook, one));
    if (asking.length === 0) continue;
    await ctx.run(insertion, {
      id: (await ctx.clock()).newRow().id,
      profile_id,
      kind: one.kind,
      told: JSON.stringify(one.told),
      repeat_key: one.repeatKey ?? null,
      webhook_ids: asking.map(({ id }) => id).join(' '),
      at: ctx.now(),
    });
    written = true;
  }
  return written;
}

type Name = 'id' | 'profile_id' | 'kind' | 'told' | 'repeat_key' | 'webhook_ids' | 'at';

/** What was told of before is there already, and is left as it is. */
const insertion = new FixedQuery<unknown, Name>((db, account_id, hole) =>
  db
    .insertInto('tidings')
    .values({
      account_id,
      id: hole('id'),
      profile_id: hole('profile_id'),
      kind: hole('kind'),
      told: hole('told'),
      repeat_key: hole('repeat_key'),
      webhook_ids: hole('webhook_ids'),
      at: hole('at'),
    })
    .onConflict((known) => known.doNothing()),
);
