import { useSearchParams } from 'wouter';
import { type TimelineKind, timelineKinds } from './timeline-entry.ts';

/** The kinds of entries that are shown, from the address: `?kinds=seen,answered`. None means all. */
export function useKinds(): { kinds: readonly TimelineKind[]; setKinds: (kinds: readonly TimelineKind[]) => void } {
  const [params, setParams] = useSearchParams();
  const inAddress = params.get('kinds')?.split(',') ?? [];
  // The kinds are sorted, so that the same choice has one query key.
  const kinds = timelineKinds.filter((kind) => inAddress.includes(kind));
  const setKinds = (chosen: readonly TimelineKind[]) =>
    setParams((before) => {
      const next = new URLSearchParams(before);
      const sorted = timelineKinds.filter((kind) => chosen.includes(kind));
      if (sorted.length === 0 || sorted.length === timelineKinds.length) next.delete('kinds');
      else next.set('kinds', sorted.join(','));
      return next;
    });
  return { kinds, setKinds };
}
