import { type Members, sameIn, writeMembers } from './group-members.ts';
import type { UpdateLimitGroup } from './limit-group-schema.ts';

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

/** What a limit group can limit besides the number of starts. */
export const limitMeasures = ['steps', 'seconds'] as const;
export type LimitMeasure = (typeof limitMeasures)[number];

/** Limits how many tours and surveys of a group may start automatically for one user within a period. */
export interface LimitGroup extends Members {
  id: string;
  name: string;
  max_count: number;
  period_hours: number;
  /** How many steps of interruptions, and seconds of them, one user may have within the period; null for any number. */
  max_steps: number | null;
  max_seconds: number | null;
}

export type LimitGroupValues = Omit<LimitGroup, 'id'> & { description: string | null };

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
  const hours = period_hours ?? before?.period_hours ?? DAY_HOURS;
  const max_steps = params.max_steps === undefined ? (before?.max_steps ?? null) : params.max_steps;
  const max_seconds = params.max_seconds === undefined ? (before?.max_seconds ?? null) : params.max_seconds;
  const limited = max_steps !== null ? 'max_steps' : max_seconds !== null ? 'max_seconds' : undefined;
  if (limited && hours % DAY_HOURS !== 0)
    problems.push(
      `\`${limited}\` needs a period of whole days, because steps and seconds are counted by day: give \`period_hours\` as ${DAY_HOURS}, ${2 * DAY_HOURS} or another multiple of ${DAY_HOURS}`,
    );
  return {
    name: params.name ?? before?.name ?? '',
    description: params.description === undefined ? (before?.description ?? null) : params.description,
    max_count: max_count ?? before?.max_count ?? 1,
    period_hours: hours,
    max_steps,
    max_seconds,
    ...writeMembers(before, params, problems),
  };
}
