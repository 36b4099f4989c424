import { type ExclusiveKind, listKindsWith, readMemberKind } from '@usher/domain';
import type { ExpressionBuilder } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { usesOf } from '../../experiences/experiences-using.ts';

/** The columns that say which Experiences a group is about. */
interface StoredMembers {
  experience_kind: ExclusiveKind | null;
  experience_ids: string[];
  tag_ids: string[];
}

/** The same rule as `isInGroup`, in SQL. */
export function isMember(ctx: Context, group: StoredMembers) {
  const kind = readMemberKind(group);
  return (eb: ExpressionBuilder<Schema, 'experiences'>) => {
    const kinds = group.experience_kind === null ? listKindsWith('isExclusive') : [group.experience_kind];
    const isOfKind = eb('kind', 'in', kinds);
    if (kind === 'campaigns') return eb.and([isOfKind, eb('id', 'in', group.experience_ids)]);
    return kind === 'tags' ? eb.and([isOfKind, eb('id', 'in', usesOf(ctx, group.tag_ids))]) : isOfKind;
  };
}
