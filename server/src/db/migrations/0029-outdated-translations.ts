import type { ColumnTypes, MigrationStep } from './migration.ts';

/** A hash of the source text beside each translation. Translations from before have none, and count as up to date. */
export function outdatedTranslations({ json }: ColumnTypes): MigrationStep[] {
  return [`alter table translations add column sources ${json} not null default '{}'`];
}
