import { createHash } from 'node:crypto';
import {
  type Condition,
  type Document,
  type GoalFields,
  type GoalRule,
  listGoals,
  listSegmentReferences,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { segmentScope } from '../../audience/filters/segment-scope.ts';
import { type SegmentRow, segmentsOf } from '../../audience/filters/segments.ts';
import { segmentFingerprints } from '../../audience/segment-counts/segment-fingerprints.ts';
import { loadGoals } from '../../experiences/shared-goals.ts';

/** A goal of an Experience with what it means: its own fields, or those of a shared goal. */
export interface ResolvedGoal extends GoalFields {
  /** Its ID in the Experience. */
  id: string;
  goal_id: string | null;
  primary: boolean;
}

/** The goals of a draft: they need no publishing. A shared goal or Segment that is gone has none. */
export async function resolveGoals(ctx: Context, draft: Document): Promise<ResolvedGoal[]> {
  const goals = listGoals(draft);
  const shared = await loadGoals(
    ctx,
    goals.flatMap(({ goal_id }) => goal_id ?? []),
  );
  return goals.flatMap((goal) => {
    if (goal.goal_id === null) return [goal];
    const row = shared.get(goal.goal_id);
    const { id, goal_id, primary } = goal;
    return row ? [{ ...row.definition, name: row.name, id, goal_id, primary }] : [];
  });
}

/** The Segments that these goals name, with all others, because Segments name each other. */
export async function loadSegments(ctx: Context, goals: readonly GoalRule[]): Promise<SegmentRow[]> {
  return goals.some((goal) => namedSegments(goal).length > 0) ? segmentsOf(ctx).execute() : [];
}

function namedSegments({ segment_id, filters }: GoalRule): string[] {
  return [...(segment_id === null ? [] : [segment_id]), ...listSegmentReferences(filters, '').map(({ id }) => id)];
}

/** What `goalSql` needs. Nobody is in a Segment that is gone. */
export function goalScope(ctx: Context, segments: readonly SegmentRow[]) {
  const { segment, ...scope } = segmentScope(ctx, segments);
  const known = new Set(segments.map(({ id }) => id));
  const nobody: Condition = { is: 'unknown' };
  return { ...scope, dialect: ctx.dialect, segment: (id: string) => (known.has(id) ? segment(id) : nobody) };
}

/** A hash of what the goals mean, with the Segments in them and the time zone of the days: when it changes, counts are wrong. */
export function goalsFingerprint(
  goals: readonly ResolvedGoal[],
  segments: readonly SegmentRow[],
  timeZone: string,
): string {
  const fingerprints = segmentFingerprints(segments);
  const rules = goals.map(({ name: _, primary: __, ...goal }) => [
    goal,
    namedSegments(goal).map((id) => fingerprints.get(id)),
  ]);
  return createHash('sha256')
    .update(JSON.stringify([timeZone, rules]))
    .digest('hex')
    .slice(0, 24);
}
