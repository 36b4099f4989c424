import { isExclusiveKind, type LimitGroupValues } from '@usher/domain';

/** The columns of a limit group that parameters write. */
export function limitGroupColumns({ kind, experience_ids, tag_ids, ...values }: LimitGroupValues) {
  return {
    ...values,
    experience_kind: isExclusiveKind(kind) ? kind : null,
    experience_ids: JSON.stringify(experience_ids),
    tag_ids: JSON.stringify(tag_ids),
  };
}
