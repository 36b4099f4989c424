import type { Millis } from '../basics/time.ts';
import { isExclusive } from '../kinds/kinds.ts';
import type { LimitGroup } from './limit-group.ts';
import type { DecisionInput, InteractionFacts, PublishedData } from './rules.ts';

const HOUR_MS: Millis = 60 * 60_000;

/** How much of a limit group a user has used up. */
export interface LimitUse {
  group: LimitGroup;
  used: number;
  isReached: boolean;
  /** When the next one of the group may start; null while one may start now. */
  freeAt: Millis | null;
}

export function listLimitUses(published: PublishedData, input: DecisionInput): LimitUse[] {
  return published.limitGroups.map((group) => {
    const starts = listStarts(group, input, published).sort((one, other) => one - other);
    // The next Experience may start when the period after this start is over. Then fewer than `max_count` starts are in the period.
    const last = starts[starts.length - group.max_count];
    const freeAt = last === undefined ? null : last + periodOf(group);
    return { group, used: starts.length, isReached: freeAt !== null, freeAt };
  });
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
