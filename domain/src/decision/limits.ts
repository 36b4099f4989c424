import type { Millis } from '../basics/time.ts';
import { startOfDay } from '../basics/time-zone.ts';
import { isExclusive } from '../kinds/kinds.ts';
import { type LimitGroup, type LimitMeasure, limitMeasures } from './limit-group.ts';
import type { DecisionInput, InteractionFacts, PublishedData } from './rules.ts';

const HOUR_MS: Millis = 60 * 60_000;

/** How much of a limit group a user has used up. */
export interface LimitUse {
  group: LimitGroup;
  used: number;
  /** Undefined if the group does not limit it. */
  steps: { used: number; most: number } | undefined;
  seconds: { used: number; most: number } | undefined;
  isReached: boolean;
  /** When the next one of the group may start; null while one may start now. */
  freeAt: Millis | null;
}

export function listLimitUses(published: PublishedData, input: DecisionInput): LimitUse[] {
  return published.limitGroups.map((group) => {
    const starts = listStarts(group, input, published).sort((one, other) => one - other);
    // The next Experience may start when the period after this start is over. Then fewer than `max_count` starts are in the period.
    const last = starts[starts.length - group.max_count];
    const startsFreeAt = last === undefined ? null : last + periodOf(group);
    const times = [startsFreeAt, ...limitMeasures.map((measure) => findFreeTime(group, measure, input, published))];
    const freeAt = times.reduce((latest, at) => (at === null || (latest ?? at) > at ? latest : at), null);
    const useOf = (measure: LimitMeasure) => {
      const most = group[`max_${measure}`];
      return most === null ? undefined : { used: sumInterrupted(group, measure, input, published), most };
    };
    const measured = { steps: useOf('steps'), seconds: useOf('seconds') };
    return { group, used: starts.length, ...measured, isReached: freeAt !== null, freeAt };
  });
}

/** What a user saw of interruptions, by day and Experience. */
export interface InterruptedDays {
  rows: readonly ({ experience_id: string; day: number } & Record<LimitMeasure, number>)[];
  /** Today, in the time zone of the account. */
  today: number;
  timeZone: string;
}

/** How much a user had of interruptions by a group in its period, which is today and the days before. `exceptId` is left out. */
export function sumInterrupted(
  group: LimitGroup,
  measure: LimitMeasure,
  { interrupted }: Pick<DecisionInput, 'interrupted'>,
  published: Pick<PublishedData, 'kindOf' | 'hasTag'>,
  exceptId?: string,
  onDay = interrupted?.today ?? 0,
): number {
  const after = onDay - daysOf(group);
  return (interrupted?.rows ?? [])
    .filter(({ experience_id, day }) => day > after && experience_id !== exceptId)
    .filter(({ experience_id }) => isInGroup(group, experience_id, published))
    .reduce((sum, row) => sum + row[measure], 0);
}

/** The days of a period in which steps and seconds are counted. */
export function daysOf({ period_hours }: Pick<LimitGroup, 'period_hours'>): number {
  return Math.ceil(period_hours / 24);
}

/** When the next one may start; null while one may start now. */
function findFreeTime(
  group: LimitGroup,
  measure: LimitMeasure,
  { interrupted }: DecisionInput,
  published: PublishedData,
): Millis | null {
  const most = group[`max_${measure}`];
  if (most === null || !interrupted) return null;
  const { today, timeZone } = interrupted;
  let day = today;
  while (sumInterrupted(group, measure, { interrupted }, published, undefined, day) >= most) day++;
  return day === today ? null : startOfDay(day, timeZone);
}

/** Lists when Experiences of a group started automatically within its period. `exceptId` is left out. */
export function listStarts(
  group: LimitGroup,
  { now, interactions }: Pick<DecisionInput, 'now' | 'interactions'>,
  published: PublishedData,
  exceptId?: string,
): Millis[] {
  const starts: Millis[] = [];
  for (const [id, interaction] of interactions) {
    const { started_at } = interaction;
    const isRecent = started_at !== null && started_at > now - periodOf(group);
    if (!isRecent || !startedAutomatically(interaction) || id === exceptId) continue;
    if (isInGroup(group, id, published)) starts.push(started_at);
  }
  return starts;
}

/** Whether a limit group counts and limits an Experience. It never does for a kind that shows several at a time. */
export function isInGroup(
  { kind: limited, experience_ids, tag_ids }: LimitGroup,
  id: string,
  { kindOf, hasTag }: Pick<PublishedData, 'kindOf' | 'hasTag'>,
): boolean {
  const kind = kindOf(id);
  if (!isExclusive({ kind })) return false;
  if (limited === 'campaigns') return experience_ids.includes(id);
  if (limited === 'tags') return hasTag(id, tag_ids);
  return limited === 'all' || limited === kind;
}

export function startedAutomatically({ group_kind }: InteractionFacts): boolean {
  return group_kind === 'campaign' || group_kind === 'experiment';
}

function periodOf({ period_hours }: LimitGroup): Millis {
  return period_hours * HOUR_MS;
}
