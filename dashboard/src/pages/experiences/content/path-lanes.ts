import type { SurveyPath } from '@usher/domain';
import { END } from '@usher/domain/fields';

/** A path and the lane beside the steps through which it is drawn. Without a lane, it goes down to the step below. */
export interface PathLane {
  path: SurveyPath;
  lane: number | undefined;
}

/**
 * Gives each target a lane, which all paths to it share. Two targets share a lane if their paths are not beside each other. A step
 * that goes on to the step below without any rule needs none.
 */
export function toLanes(paths: readonly SurveyPath[], ids: readonly string[]): PathLane[] {
  const placeOf = (id: string) => (id === END ? ids.length : ids.indexOf(id));
  const isBelow = ({ from, to, rule }: SurveyPath) => rule === undefined && placeOf(to) === placeOf(from) + 1;
  const spans = new Map<string, { from: number; to: number }>();
  for (const path of paths) {
    if (isBelow(path)) continue;
    const places = [placeOf(path.from), placeOf(path.to)];
    const known = spans.get(path.to);
    if (known) places.push(known.from, known.to);
    spans.set(path.to, { from: Math.min(...places), to: Math.max(...places) });
  }
  const lanes = new Map<string, number>();
  // Shorter spans are nearer to the steps, so that fewer lines cross.
  const length = ({ from, to }: { from: number; to: number }) => to - from;
  const taken: { from: number; to: number }[][] = [];
  for (const [target, span] of [...spans].sort(([, one], [, other]) => length(one) - length(other))) {
    const isFree = (others: { from: number; to: number }[]) =>
      others.every(({ from, to }) => to < span.from || span.to < from);
    const free = taken.findIndex(isFree);
    const lane = free < 0 ? taken.length : free;
    taken[lane] = [...(taken[lane] ?? []), span];
    lanes.set(target, lane);
  }
  return paths.map((path) => ({ path, lane: isBelow(path) ? undefined : lanes.get(path.to) }));
}

export function laneCount(lanes: readonly PathLane[]): number {
  return Math.max(0, ...lanes.map(({ lane = -1 }) => lane + 1));
}
