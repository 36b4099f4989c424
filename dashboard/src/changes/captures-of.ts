import { type Place, parsePath } from '@usher/domain/sentences';
import type { Change } from './change.ts';

type CapturedChange = Pick<Change, 'id' | 'path' | 'kind' | 'object' | 'options'>;

/** How a step or a launcher looked before and after. */
export interface CapturePair {
  /** The ID of the first capture, or of the last one. */
  id: string;
  place: Place;
  before: string | null;
  after: string | null;
}

/** Pairs of captures from Changes, which come newest first: the first and the last capture of each step. */
export function capturesOf(changes: readonly CapturedChange[]): CapturePair[] {
  const pairs: CapturePair[] = [];
  for (const change of changes.toReversed()) {
    const capture = change.options.capture_id;
    if (!capture || change.kind === 'related') continue;
    const [before, after] = capture as [string | null, string | null];
    const place = ownerOf(parsePath(change.path));
    const isGone = isDestroyed(change);
    if (!place || (after === null && !isGone)) continue;
    const known = pairs.find((pair) => before !== null && pair.after === before);
    const same = pairs.find((pair) => after !== null && pair.after === after);
    // The capture of the Experience itself is that of its first step.
    if (same?.place.type === 'experience') same.place = place;
    if (same) continue;
    if (known) Object.assign(known, { after, place });
    else pairs.push({ id: before ?? after ?? change.id, place, before, after });
  }
  return pairs.filter(({ before, after }) => before !== after && (before !== null || after !== null));
}

/** The step that shows a button, or the launcher that shows an item. */
function ownerOf(place: Place): Place | undefined {
  if (place.language !== undefined || place.related) return undefined;
  if (place.type === 'button') return { type: 'step', index: place.step ?? 0 };
  return place.type === 'item' ? { type: 'experience' } : place;
}

/** Only a deleted step has no capture afterwards: after a button is deleted, its step still has one. */
function isDestroyed({ kind, path, object }: CapturedChange): boolean {
  if (!/^steps\.\d+$/.test(path)) return false;
  const { position } = object;
  return kind === 'destroy' || (Array.isArray(position) && position[1] === null);
}
