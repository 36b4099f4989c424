import { type Diff, modelTypeOf } from '@usher/domain';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Context } from '../../context.ts';
import { insertChanges } from './changes/record-changes.ts';
import { usedInDraft } from './experiences-using.ts';

/**
 * The limit is low, because each row contains the whole diff, which can be large: a Segment may name a thousand users.
 */
const MAX_ROWS = 500;
const MAX_CHARACTERS = 4_000_000;

/**
 * Records what changed in a Segment, Environment or theme, as the API shows it, in the history of each Experience that uses it.
 * By default these are the ones that name it in their draft.
 */
export async function recordRelatedChanges(
  ctx: Context,
  what: 'segments' | 'url_groups' | 'themes',
  before: { id: string },
  after: { id: string },
  isUser: RawBuilder<SqlBool> = usedInDraft(ctx, before.id),
): Promise<void> {
  const { updated_at, ...object } = diff(before, after);
  if (Object.keys(object).length === 0) return;
  const experiences = await ctx.db
    .selectFrom('experiences')
    .select(['id', 'kind', 'captures'])
    .where('account_id', '=', ctx.account.id)
    .where(isUser)
    .orderBy('id')
    .execute();
  if (experiences.length === 0) return;
  const clock = await ctx.clock();
  const rows = experiences.map((experience) => {
    const { id } = clock.newRow();
    const capture_id: Diff = [experience.captures[experience.id] ?? null, null];
    return {
      id,
      write_id: id,
      experience_id: experience.id,
      model_id: experience.id,
      model_type: modelTypeOf(experience.kind),
      op: 'update' as const,
      path: `${what}.${before.id}`,
      object,
      options: { capture_id },
    };
  });
  const size = JSON.stringify(object).length;
  const step = Math.max(1, Math.min(MAX_ROWS, Math.floor(MAX_CHARACTERS / size)));
  for (let start = 0; start < rows.length; start += step)
    await insertChanges(ctx, rows.slice(start, start + step), 'related');
}

function diff(before: object, after: object): Record<string, Diff> {
  const old = new Map<string, unknown>(Object.entries(before));
  return Object.fromEntries(
    Object.entries(after)
      .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(old.get(name)))
      .map(([name, value]): [string, Diff] => [name, [old.get(name), value]]),
  );
}
