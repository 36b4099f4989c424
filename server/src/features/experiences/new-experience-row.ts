import type { Document } from '@usher/domain';
import { timeOf } from './publication-state.ts';
import type { ExperienceRow } from './queries.ts';

/** The row of a new Experience that is not published. */
export function newExperienceRow(
  { account_id, id, updated_at }: Pick<ExperienceRow, 'account_id' | 'id' | 'updated_at'>,
  document: Document,
): ExperienceRow {
  return {
    account_id,
    id,
    created_at: null,
    updated_at,
    kind: document.kind,
    draft: { ...document, published_at: null },
    captures: {},
    version_id: null,
    published_at: null,
    next_version_id: null,
    next_published_at: null,
    published_until: timeOf(document.published_until),
    archived_at: timeOf(document.archived_at),
    paused_version_id: null,
    paused_at: null,
    public_key: null,
    name_key: nameKeyOf(document),
    position: document.position,
    sort_key: id,
  };
}

/** The name, as lists sort and search by it. */
export function nameKeyOf({ name }: Document): string {
  return name.toLowerCase().toWellFormed();
}
