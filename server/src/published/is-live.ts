import type { Millis } from '@usher/domain';
import type { ExpressionBuilder, SqlBool } from 'kysely';
import type { Schema } from '../db/schema.ts';

/** The same rule as `publishedVersionOf`, in SQL. */
export function isLive(eb: ExpressionBuilder<Schema, 'experiences'>, now: Millis) {
  return eb
    .and([
      eb('archived_at', 'is', null),
      eb.or([eb('published_until', 'is', null), eb('published_until', '>', now)]),
      eb.or([
        eb.and([eb('next_published_at', '<=', now), eb('next_version_id', 'is not', null)]),
        eb.and([eb('published_at', '<=', now), eb('version_id', 'is not', null)]),
      ]),
    ])
    .$castTo<SqlBool>();
}
