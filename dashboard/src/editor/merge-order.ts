/**
 * Merges two orders of a list that have a common origin: whatever either side added, removed or moved has the same
 * effect in the result. If both sides have moved the same item, it is at the place that `mine` has.
 */
export function mergeOrder(base: readonly string[], mine: readonly string[], theirs: readonly string[]): string[] {
  const [inBase, inMine, inTheirs] = [new Set(base), new Set(mine), new Set(theirs)];
  const isRemoved = (id: string) => inBase.has(id) && (!inMine.has(id) || !inTheirs.has(id));
  const common = base.filter((id) => inMine.has(id) && inTheirs.has(id));
  const myMoves = findMoves(
    common,
    mine.filter((id) => inBase.has(id) && inTheirs.has(id)),
  );
  // All items of `theirs` keep their order. An item that I have added or moved follows the item that it follows in
  // `mine`.
  const result = theirs.filter((id) => !isRemoved(id) && !myMoves.has(id));
  for (const [index, id] of mine.entries()) {
    const isNew = !inBase.has(id) && !inTheirs.has(id);
    if ((!isNew && !myMoves.has(id)) || isRemoved(id)) continue;
    const before = mine.slice(0, index).findLast((other) => result.includes(other));
    result.splice(before === undefined ? 0 : result.indexOf(before) + 1, 0, id);
  }
  return result;
}

/** The items that both sides have moved, and that do not follow the same item now. */
export function movedByBoth(base: readonly string[], mine: readonly string[], theirs: readonly string[]): string[] {
  const [inMine, inTheirs] = [new Set(mine), new Set(theirs)];
  const common = base.filter((id) => inMine.has(id) && inTheirs.has(id));
  const isCommon = new Set(common);
  const [my, their] = [mine.filter((id) => isCommon.has(id)), theirs.filter((id) => isCommon.has(id))];
  const [myMoves, theirMoves] = [findMoves(common, my), findMoves(common, their)];
  const before = (order: readonly string[], id: string) => order[order.indexOf(id) - 1];
  return common.filter((id) => myMoves.has(id) && theirMoves.has(id) && before(my, id) !== before(their, id));
}

/** Finds the fewest items that must move to get from one order to the other. Both orders hold the same items. */
function findMoves(from: readonly string[], to: readonly string[]): Set<string> {
  const place = new Map(from.map((id, index) => [id, index]));
  const places = to.map((id) => place.get(id) ?? -1);
  const staying = longestIncreasing(places);
  return new Set(to.filter((_, index) => !staying.has(index)));
}

/** The indexes of a longest increasing subsequence. Lists have 200 items at most, so the simple way is fast enough. */
function longestIncreasing(values: readonly number[]): Set<number> {
  /** For each value: how long the longest subsequence is that ends with it, and which value is before it there. */
  const ends: { length: number; previous: number }[] = [];
  let best = -1;
  for (const [index, value] of values.entries()) {
    const end = { length: 1, previous: -1 };
    for (const [other, { length }] of ends.entries()) {
      if ((values[other] ?? 0) >= value || length < end.length) continue;
      Object.assign(end, { length: length + 1, previous: other });
    }
    ends.push(end);
    if (end.length > (ends[best]?.length ?? 0)) best = index;
  }
  const found = new Set<number>();
  for (let index = best; index >= 0; index = ends[index]?.previous ?? -1) found.add(index);
  return found;
}
