import { asksFor, type Tidings } from '@usher/domain';
import type { Context } from '../../context.ts';
import { FixedQuery } from '../../db/fixed-query.ts';
import type { LiveAccount } from '../../live/live.ts';

/** Rows of one statement: more of them take turns. */
const MOST_ROWS = 20;

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
  const next_at = ctx.now();
  const rows = tidings.flatMap((one) => {
    const asking = webhooks.filter((webhook) => asksFor(webhook, one));
    if (asking.length === 0) return [];
    const item = {
      id: ctx.newRow().id,
      profile_id,
      kind: one.kind,
      told: JSON.stringify(one.told),
      repeat_key: one.repeatKey ?? null,
      next_at,
    };
    return asking.map((webhook) => ({ ...item, webhook_id: webhook.id }));
  });
  for (let at = 0; at < rows.length; at += MOST_ROWS) await insert(ctx, rows.slice(at, at + MOST_ROWS));
  return rows.length > 0;
}

const columns = ['webhook_id', 'id', 'profile_id', 'kind', 'told', 'repeat_key', 'next_at'] as const;
type Column = (typeof columns)[number];
type Row = Record<Column, string | number | null>;
type Name = `${Column} ${number}`;

/** By how many rows they insert. */
const insertions = new Map<number, FixedQuery<unknown, Name>>();

/** What was told of before is there already, and is left as it is. */
function insertionOf(count: number): FixedQuery<unknown, Name> {
  return new FixedQuery((db, account_id, hole: (name: Name) => never) => {
    const rows = Array.from({ length: count }, (_, at) => ({
      account_id,
      ...(Object.fromEntries(columns.map((name) => [name, hole(`${name} ${at}`)])) as Record<Column, never>),
      attempts: 0,
      state: 'pending' as const,
    }));
    return db
      .insertInto('outbox')
      .values(rows)
      .onConflict((known) => known.doNothing());
  });
}

async function insert(ctx: Context, rows: readonly Row[]): Promise<void> {
  const query = insertions.get(rows.length) ?? insertionOf(rows.length);
  insertions.set(rows.length, query);
  const values = rows.flatMap((row, at) => columns.map((name) => [`${name} ${at}`, row[name]] as const));
  await ctx.run(query, Object.fromEntries(values) as Record<Name, unknown>);
}
