import { type CountFunnel, type FunnelResults, MAX_FUNNEL_MS, toTimestampOrNull } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { FunnelCounter } from './funnel-counter.ts';
import { daysOf, resolveFunnel } from './resolve-funnel.ts';
import { countPeople, walkPeople } from './walk-people.ts';

/** Counts how far people came in a funnel. When the time is over, it says how many of them it has looked at. */
export async function countFunnel(
  ctx: Context,
  { split_segment_ids, within_ms, ...params }: CountFunnel,
): Promise<FunnelResults> {
  const started = performance.now();
  const funnel = await resolveFunnel(ctx, params);
  const segmentIds = [...new Set(split_segment_ids)];
  const total = new FunnelCounter(funnel.steps);
  const bySegment = new Map(segmentIds.map((id) => [id, new FunnelCounter(funnel.steps)]));
  let share = 1;
  for await (const { people, members, seen, next } of walkPeople(ctx, funnel, { segmentIds })) {
    for (const { id, times } of people) {
      total.add(times);
      for (const [segmentId, counter] of bySegment) if (members.get(segmentId)?.has(id)) counter.add(times);
    }
    if (next === null || performance.now() - started < within_ms) continue;
    share = Math.min(seen / (await countPeople(ctx, funnel)), 0.999);
    break;
  }
  const complete = share === 1;
  return {
    ...daysOf(funnel),
    ...{ complete, share },
    message: complete ? null : explain(share, within_ms),
    known_since: toTimestampOrNull(funnel.knownSince),
    steps: total.steps,
    segments: [...bySegment].map(([segment_id, { steps }]) => ({ segment_id, steps })),
  };
}

function explain(share: number, withinMs: number): string {
  const percent = Math.floor(share * 1000) / 10;
  const advice =
    withinMs < MAX_FUNNEL_MS
      ? `Send \`within_ms\` with up to ${MAX_FUNNEL_MS} to count more of them`
      : 'Choose a rarer first step, or a Segment of fewer people, to count all of them';
  return `These numbers are of ${percent} % of the people, those who came last: the time was over before all were counted. ${advice}.`;
}
