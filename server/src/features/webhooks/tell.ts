import { asksFor, type Tidings } from '@usher/domain';
import type { Context } from '../../context.ts';
import { FixedQuery } from '../../db/fixed-query.ts';
import type { Db } from '../../db/storage.ts';
import type { LiveAccount } from '../../live/live.ts';

/**
 * In the transaction of what is told: puts it into the outbox, for each webhook that asks for it. Whether there is
 * anything to send then: after the commit, `ctx.webhooks.wake`.
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
    const webhookIds = asking.map(({ id }, at) => [`webhook ${at}`, id] as const);
    await ctx.run(insertionOf(asking.length), {
      ...(Object.fromEntries(webhookIds) as Record<WebhookName, string>),
      id: ctx.newRow().id,
      profile_id,
      kind: one.kind,
      told: JSON.stringify(one.told),
      repeat_key: one.repeatKey ?? null,
      next_at: ctx.now(),
    });
    written = true;
  }
  return written;
}

type WebhookName = `webhook ${number}`;
type Name = WebhookName | 'id' | 'profile_id' | 'kind' | 'told' | 'repeat_key' | 'next_at';

/** By how many webhooks are told. */
const insertions = new Map<number, FixedQuery<unknown, Name>>();

function insertionOf(count: number): FixedQuery<unknown, Name> {
  const known = insertions.get(count) ?? new FixedQuery(insertFor(count));
  insertions.set(count, known);
  return known;
}

/** What was told of before is there already, and is left as it is. */
function insertFor(count: number) {
  return (db: Db, account_id: string, hole: (name: Name) => never) => {
    const rows = Array.from({ length: count }, (_, at) => ({
      account_id,
      webhook_id: hole(`webhook ${at}`),
      id: hole('id'),
      profile_id: hole('profile_id'),
      kind: hole('kind'),
      told: hole('told'),
      repeat_key: hole('repeat_key'),
      next_at: hole('next_at'),
      attempts: 0,
      state: 'pending' as const,
    }));
    return db
      .insertInto('outbox')
      .values(rows)
      .onConflict((known) => known.doNothing());
  };
}
