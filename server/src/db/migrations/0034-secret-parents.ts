import type { ColumnTypes } from './migration.ts';

/** What a secret has created ends with it: other secrets, and invitations. Those that exist already have no parent. */
export function secretParents({ id }: ColumnTypes): string[] {
  return [`alter table secrets add column parent_id ${id}`, `alter table links add column secret_id ${id}`];
}
