import type { SummarizedChanges } from './net-changes.ts';

/** Fields that take effect without publishing, or that users never see. `has_unpublished_changes` of the server ignores them, too. */
const immediateFields: readonly string[] = ['position', 'tag_ids', 'published_at', 'published_until', 'archived_at'];

/** Leaves out changes that do not wait for a publish. */
export function unpublishedSummary<Of extends Pick<SummarizedChanges, 'kind' | 'object'>>(summary: Of): Of {
  const { object, kind } = summary;
  if (!object || kind !== 'update') return summary;
  const names = object.name.split(', ');
  const kept = names.filter((name) => !immediateFields.includes(name));
  if (kept.length === names.length) return summary;
  const [only] = kept;
  if (only === undefined) return { ...summary, object: null };
  const sides = object.value as [Record<string, unknown>, Record<string, unknown>];
  const value =
    kept.length === 1
      ? sides.map((side) => side[only])
      : sides.map((side) => Object.fromEntries(Object.entries(side).filter(([name]) => kept.includes(name))));
  return { ...summary, object: { ...object, name: kept.join(', '), value } };
}
