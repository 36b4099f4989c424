import type { Filter, GroupOp } from '@usher/domain';

/** Conditions about people or Companies, and how they are joined. */
export interface FilterSet {
  filters: Filter[];
  filters_op: GroupOp;
}
