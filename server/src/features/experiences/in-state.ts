import type { ListedState, Millis } from '@usher/domain';
import type { ExpressionBuilder, SqlBool } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { isLive } from '../../published/is-live.ts';

/**
 * The same rule as `stateOf`, in SQL. A `draft` was never published; an Experience that was published before is
 * `paused`.
 */
export function inState(eb: ExpressionBuilder<Schema, 'experiences'>, state: ListedState, now: Millis) {
  const isArchived = eb('archived_at', 'is not', null);
  if (state === 'archived') return isArchived;
  if (state === 'live') return isLive(eb, now);
  const notArchived = eb('archived_at', 'is', null);
  const isUnpublished = eb.and([eb('published_at', 'is', null), eb('next_published_at', 'is', null)]);
  if (state === 'draft') return all(eb, notArchived, isUnpublished, eb('paused_at', 'is', null));
  if (state === 'paused') return all(eb, notArchived, isUnpublished, eb('paused_at', 'is not', null));
  const hasEnded = eb.and([eb('published_until', 'is not', null), eb('published_until', '<=', now)]);
  return all(
    eb,
    notArchived,
    eb.not(isUnpublished),
    eb.not(isLive(eb, now)),
    state === 'ended' ? hasEnded : eb.not(hasEnded),
  );
}

type Condition = ReturnType<typeof isLive>;

function all(eb: ExpressionBuilder<Schema, 'experiences'>, ...conditions: { expressionType?: SqlBool | undefined }[]) {
  return eb.and(conditions as Condition[]).$castTo<SqlBool>();
}
