import type { AlertGroupValues } from '@usher/domain';
import { memberColumns } from '../group-members/member-columns.ts';

/** The columns of an alert group that parameters write. */
export function alertGroupColumns({ interval, ...values }: AlertGroupValues) {
  return { ...memberColumns(values), interval_days: interval };
}
