import { type Diff, modelTypeOf } from '@usher/domain';
import type { Context } from '../../context.ts';
import { usedInDraft } from '../experiences/experiences-using.ts';
import { writeChanges } from './record-changes.ts';

/** Each Change holds what changed: of a Segment with a thousand names in it, fewer are written together. */
const MAX_ROWS = 500;
const MAX_CHARACTERS = 4_000_000;

/** Tells of what changed on a Segment or Environment, as they are shown, in each Experience that uses it. */
export async function recordRelated(
  ctx: Context,
  what: 'segments' | 'url_groups',
  before: { id: string },
  after: { id: string },
): Promise<void> {
  const { updated_at, ...object } = diffOf(before, after);
  const size = JSON.stringify(object).length;
  if (Object.keys(object).length === 0) return;
  const users = await ctx.db
    .selectFrom('experiences')
    .select(['id', 'kind', 'captures'])
    .where('account_id', '=', ctx.account.id)
    .where(usedInDraft(ctx, what, before.id))
    .orderBy('id')
    .execute();
  if (users.length === 0) return;
  const clock = await ctx.clock();
  const rows = users.map((user) => {
    const { id } = clock.newRow();
    const capture_id: Diff = [user.captures[user.id] ?? null, null];
    return {
      id,
      write_id: id,
      experience_id: user.id,
      model_id: user.id,
      model_type: modelTypeOf(user.kind),
      op: 'update' as const,
      path: `${what}.${before.id}`,
      object,
      options: { capture_id },
    };
  });
  const atOnce = Math.max(1, Math.min(MAX_ROWS, Math.floor(MAX_CHARACTERS / size)));
  for (let at = 0; at < rows.length; at += atOnce) await writeChanges(ctx, rows.slice(at, at + atOnce), 'related');
}

function diffOf(before: object, after: object): Record<string, Diff> {
  const old = new Map<string, unknown>(Object.entries(before));
  return Object.fromEntries(
    Object.entries(after)
      .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(old.get(name)))
      .map(([name, value]): [string, Diff] => [name, [old.get(name), value]]),
  );
}
