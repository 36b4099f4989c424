import {
  type Condition,
  createdAtOf,
  type DecisionInput,
  type Facts,
  isInEnvironment,
  type Match,
  type Millis,
  matchesCondition,
  memoize,
  type PageUser,
  PatternBudget,
  parsePageAddress,
  type Subject,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { PageProfile } from '../../../db/page-profile/page-profile.ts';
import { findUrlGroupId, type PublishedAccount } from '../../../published/published-account.ts';
import type { DeliveryRow } from '../deliveries/queries.ts';
import { findHoldout } from '../exposures/choose-arm.ts';
import { type Arms, findArms } from '../exposures/find-arms.ts';
import { findAnswers, findEventCounts, findInterrupted, listPendingDeliveries } from './queries.ts';
import { findSegmentNeeds } from './segment-needs.ts';

/** What a page load is decided and presented from. */
export interface DecisionData {
  input: DecisionInput;
  /** The pending Deliveries in their order. */
  deliveries: readonly DeliveryRow[];
  /** The arms of the user in the experiments that run. */
  arms: Arms;
  /** For merge tags in texts. */
  user: PageUser;
  /** Whether a condition holds for the user. */
  matches(condition: Condition): Match;
}

interface PageLoad {
  now: Millis;
  href: string;
  host: string | undefined;
  /** Whether texts are filled as if nothing was known of the user. */
  isWithheld: boolean;
  /** Why nothing shows on this host, in words. */
  hostProblem?: string | undefined;
  /** For explanations: the events that Experiences wait for, to say when each came last. */
  awaited?: readonly string[];
}

/** Many users load the same page, and parsing its address takes longer than finding the user. */
const pageAt = memoize(parsePageAddress);

/** Builds the input of `decide`, and what the response is built from. It reads from the database only what a rule of the account can need. */
export async function buildDecisionInput(
  ctx: Context,
  account: PublishedAccount,
  { row, company, interactions }: PageProfile,
  { now, href, host, isWithheld, hostProblem, awaited = [] }: PageLoad,
): Promise<DecisionData> {
  const needs = findSegmentNeeds(account, now);
  const names = awaited.length === 0 ? needs.events : [...new Set([...needs.events, ...awaited])];
  const [deliveries, events, answers, arms, interrupted] = await Promise.all([
    listPendingDeliveries(ctx, row),
    names.length > 0 ? findEventCounts(ctx, row, names) : undefined,
    needs.answers ? findAnswers(ctx, row) : undefined,
    findArms(ctx, account, row),
    findInterrupted(ctx, account, row, now),
  ]);
  const urlGroupId = findUrlGroupId(account, host);
  const facts = { profile: profileFacts(row), company: company && companyFacts(row.company_id ?? '', company) };
  const { inSegment, matches } = createMatcher(account, now, (inSegment) => ({
    ...facts,
    event: (name) => events?.get(name),
    tour: (id) => interactions.get(id),
    survey: (id) => answers?.get(id) ?? [],
    inSegment,
  }));
  return {
    input: {
      now,
      page: pageAt(href),
      budget: new PatternBudget(account.patternSteps, now),
      urlGroupId,
      percent: row.percent,
      disabled: row.custom.disabled === true,
      pageProblem: hostProblem,
      inSegment,
      interactions,
      deliveries,
      starts: row.pending_starts,
      armOf: (experiment) => arms.of(experiment),
      interrupted,
      heldOutUntil: findHoldout(account, row, now),
      lastEventAt: (name) => events?.get(name)?.last_at,
    },
    deliveries,
    arms,
    matches,
    user: {
      ...(isWithheld ? unknownUser : facts),
      now,
      language: row.browser_l,
      patternSteps: account.patternSteps,
      inSegment,
      matches,
      isLive: (id) => {
        const experience = account.experience(id, now);
        return experience !== undefined && isInEnvironment(experience, urlGroupId);
      },
      isCompleted: (id) => (interactions.get(id)?.completed_at ?? null) !== null,
    },
  };
}

const unknownUser = { profile: { facts: {}, custom: {} } };

function profileFacts({
  custom,
  delivery_ids: _,
  page_keys: __,
  pending_starts: ___,
  wake_count: ____,
  ...row
}: PageProfile['row']): Facts {
  return { facts: { ...row, created_at: createdAtOf(row) }, custom };
}

function companyFacts(id: string, { uid, updated_at, created_at, custom }: NonNullable<PageProfile['company']>): Facts {
  return { facts: { id, uid, updated_at, created_at: createdAtOf({ id, created_at }) }, custom };
}

/** The names of the events that live Experiences wait for. */
export function listAwaited(account: PublishedAccount, now: Millis): string[] {
  return account.liveExperiences(now).flatMap(({ events }) => events.map(({ name }) => name));
}

/** Evaluates each Segment once at most, and only when a rule names it. */
function createMatcher(
  { segments }: PublishedAccount,
  now: Millis,
  subjectWith: (inSegment: (id: string) => Match) => Subject,
): { inSegment(id: string): Match; matches(condition: Condition): Match } {
  const results = new Map<string, Match>();
  const inSegment = (id: string): Match => {
    if (results.has(id)) return results.get(id);
    const condition = segments.get(id);
    const result = condition === undefined ? false : matchesCondition(condition, subject, now);
    results.set(id, result);
    return result;
  };
  const subject = subjectWith(inSegment);
  return { inSegment, matches: (condition) => matchesCondition(condition, subject, now) };
}
