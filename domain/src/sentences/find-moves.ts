import type { NetChange } from './net-changes.ts';

export interface Move {
  /** The previous place of the part, from 0. */
  from: number;
  /** The previous place of the part that it is before or after now. */
  before?: number;
  after?: number;
  change: NetChange;
}

/**
 * Finds the parts that were really moved. Moving one part changes the numbers of all parts between, and adding one
 * changes the numbers of all parts behind it. A part that keeps its order among the others was not moved.
 */
export function findMoves(changes: readonly NetChange[]): Move[] {
  const lists = new Map<string, NetChange[]>();
  for (const change of changes) {
    const { position } = change.fields;
    const isList = change.place.type !== 'experience' && change.place.language === undefined;
    if (change.op !== 'update' || !isList || typeof position?.[0] !== 'number') continue;
    const key = `${change.place.type} ${change.place.step ?? ''}`;
    lists.set(key, [...(lists.get(key) ?? []), change]);
  }
  return [...lists.values()].flatMap(movesIn);
}

function movesIn(list: readonly NetChange[]): Move[] {
  const [was, is] = [(change: NetChange) => placeOf(change, 0), (change: NetChange) => placeOf(change, 1)];
  const before = list.toSorted((one, other) => was(one) - was(other));
  const kept = new Set(longestRising(before.map(is)).map((at) => before[at]));
  const after = list.toSorted((one, other) => is(one) - is(other));
  return before
    .filter((change) => !kept.has(change))
    .map((change) => {
      const at = after.indexOf(change);
      const [next, previous] = [after[at + 1], after[at - 1]];
      return {
        from: was(change),
        ...(next ? { before: was(next) } : previous && { after: was(previous) }),
        change,
      };
    });
}

function placeOf({ fields }: NetChange, side: 0 | 1): number {
  return Number(fields.position?.[side] ?? 0);
}

/** The indices of a longest subsequence that rises; of several, one that begins early. */
function longestRising(values: readonly number[]): number[] {
  const best: number[][] = [];
  for (const [at, value] of values.entries()) {
    let longest: number[] = [];
    for (let other = 0; other < at; other++)
      if ((values[other] ?? 0) < value && (best[other]?.length ?? 0) > longest.length) longest = best[other] ?? [];
    best.push([...longest, at]);
  }
  return best.reduce((one, other) => (other.length > one.length ? other : one), []);
}
