import type { ColumnTypes, MigrationStep } from './migration.ts';

/** When and by whom the properties of a profile were sent. Null: they were sent before this was recorded. */
export function propertySources({ json }: ColumnTypes): MigrationStep[] {
  return [`alter table profiles add column custom_sources ${json}`];
}
