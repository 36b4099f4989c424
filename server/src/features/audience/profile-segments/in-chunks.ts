import { exceedsFilterLimit, type Filter } from '@usher/domain';

const MAX_SEGMENTS = 10;
/** A database takes long to plan a query with many filters, and takes no query with tens of thousands of parameters. */
const MAX_FILTERS = 500;

/** Divides Segments for queries, each with as many as fit. One Segment always fits. `fitTogether` keeps neighbors apart. */
export function inChunks<Segment extends { id: string; items: readonly Filter[] }>(
  segments: readonly Segment[],
  maxSegments = MAX_SEGMENTS,
  fitTogether: (one: Segment, other: Segment) => boolean = () => true,
): Segment[][] {
  const items = new Map(segments.map((row) => [row.id, row.items]));
  const fits = (chunk: readonly Segment[]): boolean => {
    const filters = chunk.map(({ id }) => ({ kind: 'segment' as const, op: 'ex' as const, value: id }));
    return chunk.length <= maxSegments && !exceedsFilterLimit(filters, (id) => items.get(id), MAX_FILTERS);
  };
  const chunks: Segment[][] = [];
  for (const segment of segments) {
    const last = chunks.at(-1);
    if (last?.[0] && fitTogether(last[0], segment) && fits([...last, segment])) last.push(segment);
    else chunks.push([segment]);
  }
  return chunks;
}
