import { isExclusiveKind, type Members } from '@usher/domain';

/** The columns of a group that parameters write. */
export function memberColumns<Values extends Members>({ kind, experience_ids, tag_ids, ...values }: Values) {
  return {
    ...values,
    experience_kind: isExclusiveKind(kind) ? kind : null,
    experience_ids: JSON.stringify(experience_ids),
    tag_ids: JSON.stringify(tag_ids),
  };
}
