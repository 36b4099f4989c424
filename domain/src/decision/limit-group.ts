import { type ExclusiveKind, listKindsWith } from '../kinds/kinds.ts';
import type { UpdateLimitGroup } from './limit-group-schema.ts';

/** What a limit group is about: everything that it can limit, one kind of it, what has certain Tags, or a list. */
export const limitKinds = ['all', ...listKindsWith('isExclusive'), 'tags', 'campaigns'] as const;
export type LimitKind = (typeof limitKinds)[number];

const DAY_HOURS = 24;
/** The periods that have a word, in hours. */
const limitPeriods = {
  '1h': 1,
  '2h': 2,
  '4h': 4,
  '1d': DAY_HOURS,
  '7d': 7 * DAY_HOURS,
  '30d': 30 * DAY_HOURS,
  '91d': 91 * DAY_HOURS,
  '182d': 182 * DAY_HOURS,
  '365d': 365 * DAY_HOURS,
} as const;
type PeriodWord = keyof typeof limitPeriods;
export const periodWords = Object.keys(limitPeriods) as PeriodWord[];

/** Limits how many tours and surveys of a group may start automatically for one user within a period. */
export interface LimitGroup {
  id: string;
  name: string;
  kind: LimitKind;
  max_count: number;
  period_hours: number;
  /** Empty unless the kind is `campaigns`. */
  experience_ids: readonly string[];
  /** Empty unless the kind is `tags`. */
  tag_ids: readonly string[];
}

export type LimitGroupValues = Omit<LimitGroup, 'id'> & { description: string | null };

interface StoredMembers {
  /** The only kind that a group limits, if any. */
  experience_kind: ExclusiveKind | null;
  experience_ids: readonly string[];
  tag_ids: readonly string[];
}

/** Which Experiences a stored limit group is about. The lists say it themselves, so that nothing can contradict them. */
export function readLimitKind({ experience_kind, experience_ids, tag_ids }: StoredMembers): LimitKind {
  if (experience_ids.length > 0) return 'campaigns';
  return tag_ids.length > 0 ? 'tags' : (experience_kind ?? 'all');
}

/** The word of a period. Nothing is rounded. */
export function periodWordOf(hours: number): PeriodWord | null {
  return periodWords.find((word) => limitPeriods[word] === hours) ?? null;
}

/**
 * Applies parameters to a limit group, or to none yet. A number, a period and a list have two names each, and both can be
 * written. Without `kind`, the lists decide about it.
 */
export function writeLimitGroup(
  before: LimitGroupValues | undefined,
  params: Omit<UpdateLimitGroup, 'updated_at'>,
  problems: string[],
): LimitGroupValues {
  const max_count = sameIn(problems, ['rate_limit_size', params.rate_limit_size], ['max_count', params.max_count]);
  const word = params.rate_limit_kind ?? undefined;
  if (word && params.period_hours !== undefined && limitPeriods[word] !== params.period_hours)
    problems.push(
      `\`rate_limit_kind\` and \`period_hours\` differ: \`${word}\` is ${limitPeriods[word]} hours. Give one of them`,
    );
  const period_hours = word ? limitPeriods[word] : params.period_hours;
  if (!before && max_count === undefined)
    problems.push(`\`max_count\` is required, or \`rate_limit_size\`: give how many may begin for one user`);
  if (!before && period_hours === undefined)
    problems.push(`\`period_hours\` is required, or \`rate_limit_kind\`: give how long the period is`);
  return {
    name: params.name ?? before?.name ?? '',
    description: params.description === undefined ? (before?.description ?? null) : params.description,
    max_count: max_count ?? before?.max_count ?? 1,
    period_hours: period_hours ?? before?.period_hours ?? DAY_HOURS,
    ...writeMembers(before, params, problems),
  };
}

type Members = Pick<LimitGroup, 'kind' | 'experience_ids' | 'tag_ids'>;

function writeMembers(
  before: Members | undefined,
  { kind: wanted, ...params }: Omit<UpdateLimitGroup, 'updated_at'>,
  problems: string[],
): Members {
  const given = sameIn(problems, ['campaign_ids', params.campaign_ids], ['experience_ids', params.experience_ids]);
  const lists = {
    campaigns: { name: params.campaign_ids ? 'campaign_ids' : 'experience_ids', given, before: before?.experience_ids },
    tags: { name: 'tag_ids', given: params.tag_ids, before: before?.tag_ids },
  };
  const named = (['campaigns', 'tags'] as const).filter((kind) => lists[kind].given?.length);
  const isEmptied = before && before.kind in lists && lists[before.kind as keyof typeof lists].given?.length === 0;
  const kind = wanted ?? named[0] ?? (isEmptied ? 'all' : (before?.kind ?? 'all'));
  for (const other of named)
    if (other !== kind)
      problems.push(`\`${lists[other].name}\` is for \`kind\` = \`${other}\`, and this limit group has \`${kind}\``);
  const membersOf = (of: 'campaigns' | 'tags'): readonly string[] => {
    if (kind !== of) return [];
    const ids = [...new Set(lists[of].given ?? lists[of].before ?? [])];
    if (ids.length === 0)
      problems.push(`\`${lists[of].name}\` must have at least one ID, because \`kind\` is \`${kind}\``);
    return ids;
  };
  return { kind, experience_ids: membersOf('campaigns'), tag_ids: membersOf('tags') };
}

/** Reads a value that has two names. */
function sameIn<Value>(
  problems: string[],
  [name, value]: [string, Value | undefined],
  [other, otherValue]: [string, Value | undefined],
): Value | undefined {
  if (value !== undefined && otherValue !== undefined && JSON.stringify(value) !== JSON.stringify(otherValue))
    problems.push(`\`${name}\` and \`${other}\` are two names for the same, and differ: give one of them`);
  return value ?? otherValue;
}
