import { exceedsFilterLimit, type Filter } from '@usher/domain';

const MAX_SEGMENTS = 10;
/** A database takes long to plan a query with many filters, and takes no query with tens of thousands of parameters. */
const MAX_FILTERS = 500;

/** Divides Segments for queries, each with as many as fit. One Segment always fits. */
export function inParts<Segment extends { id: string; items: readonly Filter[] }>(
  segments: readonly Segment[],
): Segment[][] {
  const items = new Map(segments.map((row) => [row.id, row.items]));
  const fits = (part: readonly Segment[]): boolean => {
    const filters = part.map(({ id }) => ({ kind: 'segment' as const, op: 'ex' as const, value: id }));
    return part.length <= MAX_SEGMENTS && !exceedsFilterLimit(filters, (id) => items.get(id), MAX_FILTERS);
  };
  const parts: Segment[][] = [];
  for (const segment of segments) {
    const last = parts.at(-1);
    if (last && fits([...last, segment])) last.push(segment);
    else parts.push([segment]);
  }
  return parts;
}
