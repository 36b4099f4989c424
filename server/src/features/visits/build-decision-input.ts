import {
  type Condition,
  type DecisionInput,
  type Facts,
  type Millis,
  matchesCondition,
  memoize,
  type PageUser,
  PatternBudget,
  parsePageAddress,
  type Subject,
  timeOfId,
} from '@usher/domain';
import type { Context } from '../../context.ts';
import type { PublishedAccount } from '../../published/published-cache.ts';
import type { DeliveryRow } from '../deliveries/queries.ts';
import { answersOf, eventsOf, pendingOf, type Visitor } from './queries.ts';

/** A page load as the rules ask for it. */
export interface Loaded {
  person: DecisionInput;
  /** Those that are pending, in their order. */
  deliveries: readonly DeliveryRow[];
  user: PageUser;
}

interface Place {
  now: Millis;
  href: string;
  host: string | undefined;
  /** Whether personal texts are written as if nothing was known of the user. */
  isWithheld: boolean;
  /** Why the page gets nothing at all, in words. */
  apiError?: string | undefined;
}

/** Many users load the same page: reading its address takes longer than finding who it is. */
const pageAt = memoize(parsePageAddress);

/** What the database still has to tell is asked only where a rule can ask for it. */
export async function buildDecisionInput(
  ctx: Context,
  account: PublishedAccount,
  visitor: Visitor,
  place: Place,
): Promise<Loaded> {
  const { row, company, interactions } = visitor;
  const { now, href, host, isWithheld, apiError } = place;
  const asked = needsOfSegments(account);
  const [deliveries, events, answers] = await Promise.all([
    pendingOf(ctx, row),
    asked.events.length > 0 ? eventsOf(ctx, row, asked.events) : undefined,
    asked.ofSurveys ? answersOf(ctx, row) : undefined,
  ]);
  const facts = { profile: factsOf(row), company: company && companyFacts(row.company_id ?? '', company) };
  const inSegment = segmentsOf(account, now, (inSegment) => ({
    ...facts,
    event: (name) => events?.get(name),
    tour: (id) => interactions.get(id),
    survey: (id) => answers?.get(id) ?? [],
    inSegment,
  }));
  return {
    person: {
      now,
      page: pageAt(href),
      budget: new PatternBudget(account.patternSteps, now),
      urlGroupId: account.urls.get(host ?? '')?.url_group_id ?? null,
      percent: row.percent,
      disabled: row.custom.disabled === true,
      pageProblem: apiError,
      inSegment,
      interactions,
      deliveries,
    },
    deliveries,
    user: {
      ...(isWithheld ? unknownUser : facts),
      inSegment,
      isLive: (id) => account.experience(id, now) !== undefined,
      isCompleted: (id) => (interactions.get(id)?.completed_at ?? null) !== null,
    },
  };
}

const unknownUser = { profile: { facts: {}, custom: {} } };

function factsOf({ custom, delivery_ids: _, page_keys: __, ...row }: Visitor['row']): Facts {
  return { facts: { ...row, created_at: timeOfId(row.id) }, custom };
}

function companyFacts(id: string, { uid, updated_at, custom }: NonNullable<Visitor['company']>): Facts {
  return { facts: { id, uid, updated_at, created_at: timeOfId(id) }, custom };
}

/** Each Segment is asked once, and only when a rule asks for it. */
function segmentsOf(
  { segments }: PublishedAccount,
  now: Millis,
  subjectWith: (inSegment: (id: string) => boolean) => Subject,
): (id: string) => boolean {
  const known = new Map<string, boolean>();
  const inSegment = (id: string): boolean => {
    const answer = known.get(id);
    if (answer !== undefined) return answer;
    const condition = segments.get(id);
    const found = condition !== undefined && matchesCondition(condition, subject, now);
    known.set(id, found);
    return found;
  };
  const subject = subjectWith(inSegment);
  return inSegment;
}

interface SegmentNeeds {
  /** The names of events. */
  events: readonly string[];
  ofSurveys: boolean;
}
const needsByAccount = new WeakMap<PublishedAccount, SegmentNeeds>();

/** What the Segments of an account ask for. */
function needsOfSegments(account: PublishedAccount): SegmentNeeds {
  const known = needsByAccount.get(account);
  if (known) return known;
  const parts = [...account.segments.values()].flatMap(partsOf);
  const events = [...new Set(parts.flatMap((part) => (part.is === 'event' ? [part.name] : [])))];
  const asked = { events, ofSurveys: parts.some(({ is }) => is === 'survey') };
  needsByAccount.set(account, asked);
  return asked;
}

function partsOf(condition: Condition): Condition[] {
  if (condition.is === 'all' || condition.is === 'any') return condition.of.flatMap(partsOf);
  return condition.is === 'not' ? partsOf(condition.of) : [condition];
}
