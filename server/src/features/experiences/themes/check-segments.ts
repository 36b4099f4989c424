import {
  exceedsFilterLimit,
  type Filter,
  formatFilterLimit,
  listSegmentReferences,
  type ThemeDocument,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { ApiError, invalid } from '../../../errors.ts';
import { lockSegments } from '../../audience/filters/segments.ts';

/** Rejects variations that newly name a Segment that is unknown, or that depends on more than properties. */
export async function checkSegments(ctx: Context, before: ThemeDocument | null, after: ThemeDocument): Promise<void> {
  const referencesIn = (theme: ThemeDocument) =>
    theme.variations.flatMap(({ filters }, at) => listSegmentReferences(filters, `variations[${at}].filters`));
  const known = new Set(before ? referencesIn(before).map(({ id }) => id) : []);
  const added = referencesIn(after).filter(({ id }) => !known.has(id));
  if (added.length === 0) return;
  const items = new Map((await lockSegments(ctx)).map((segment) => [segment.id, segment.items]));
  const unknown = added.filter(({ id }) => !items.has(id));
  if (unknown.length > 0)
    throw new ApiError(
      404,
      unknown.map(({ path }) => `\`${path}\` is the ID of no Segment in this account`),
    );
  const lookup = (id: string) => items.get(id);
  const problems = added
    .filter(({ id }) => !isOfProperties(lookup(id) ?? [], lookup))
    .map(({ path }) => `\`${path}\` is a Segment by events, tours or surveys: variations depend on properties only`);
  const tooMany = after.variations.findIndex(({ filters }) => exceedsFilterLimit(filters, lookup));
  if (tooMany >= 0) problems.push(`\`variations[${tooMany}].filters\` ${formatFilterLimit()}`);
  if (problems.length > 0) throw invalid(...problems);
}

/** Whether filters test properties only. A Segment cannot lead back to itself, so this ends. */
function isOfProperties(filters: readonly Filter[], lookup: (id: string) => readonly Filter[] | undefined): boolean {
  return filters.every((filter) => {
    if (filter.kind === 'group') return isOfProperties(filter.filters, lookup);
    if (filter.kind === 'segment') return isOfProperties(lookup(filter.value) ?? [], lookup);
    return filter.kind === 'property';
  });
}
