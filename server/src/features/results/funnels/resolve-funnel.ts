import {
  type Filter,
  type FunnelStep,
  findFunnelProblems,
  type InteractionState,
  type Millis,
  startOfDay,
  toDate,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { invalid, notFound } from '../../../errors.ts';
import { type DayParams, type LocalDayRange, readDayRange } from '../stats/answers-in.ts';
import type { FunnelRule } from './follow-steps.ts';

const DAY_MS: Millis = 24 * 60 * 60_000;

interface FunnelParams extends DayParams {
  steps: FunnelStep[];
  window_days: number;
}

/** Something that people do, with a bit for each step that it is. */
export interface EventDeed {
  name: string;
  filters: readonly Filter[];
  mask: number;
}
export interface StateDeed {
  experienceId: string;
  state: InteractionState;
  mask: number;
}

export interface Funnel extends FunnelRule {
  range: LocalDayRange;
  events: EventDeed[];
  states: StateDeed[];
  /** Since when everything is known, if that is after the beginning of the period. */
  knownSince: Millis | null;
}

/** Finds out what the steps are, and checks that their Experiences exist. */
export async function resolveFunnel(ctx: Context, { steps, window_days, ...days }: FunnelParams): Promise<Funnel> {
  const problems = findFunnelProblems(steps);
  if (problems.length > 0) throw invalid(...problems);
  const events = new Map<string, EventDeed>();
  const states = new Map<string, StateDeed>();
  for (const [
    at,
    { kind, name = '', filters = [], experience_id: experienceId = '', state = 'started' },
  ] of steps.entries()) {
    const mask = 1 << at;
    if (kind === 'event') add(events, JSON.stringify([name, filters]), { name, filters, mask });
    else add(states, `${experienceId} ${state}`, { experienceId, state, mask });
  }
  await checkExperiences(ctx, [...new Set([...states.values()].map(({ experienceId }) => experienceId))]);
  const range = await readDayRange(ctx, days);
  const from = startOfDay(range.first, range.timeZone);
  const knownSince = Math.max(
    events.size > 0 ? ctx.now() - ctx.app.activity.eventsDays * DAY_MS : 0,
    states.size > 0 ? await findTimesSince(ctx, range) : 0,
  );
  return {
    ...{ range, from, steps: steps.length, windowMs: window_days * DAY_MS },
    before: startOfDay(range.last + 1, range.timeZone),
    events: [...events.values()],
    states: [...states.values()],
    knownSince: knownSince > from ? knownSince : null,
  };
}

function add<Deed extends { mask: number }>(deeds: Map<string, Deed>, key: string, deed: Deed): void {
  deeds.set(key, { ...deed, mask: deed.mask | (deeds.get(key)?.mask ?? 0) });
}

async function checkExperiences(ctx: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const found = await ctx.db
    .selectFrom('experiences')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', ids)
    .execute();
  if (found.length < ids.length) throw notFound('Experience');
}

/** Earlier versions stored the day on which somebody did something with an Experience, and not the time. */
async function findTimesSince(ctx: Context, { timeZone }: LocalDayRange): Promise<Millis> {
  const query = ctx.db.selectFrom('accounts').select('flow_from').where('id', '=', ctx.account.id);
  return startOfDay((await query.executeTakeFirstOrThrow()).flow_from, timeZone);
}

export function daysOf({ range }: Funnel): { from: string; until: string } {
  return { from: toDate(range.first), until: toDate(range.last) };
}
