import { compareByPosition, type ExperienceGoal, type GoalRule, type Millis } from '@usher/domain';
import { type Publication, publishedVersionOf } from './publication.ts';
import type { Awaiting, EventGoal, PublishedAccount } from './published-account.ts';
import type { PublishedExperience } from './published-experience.ts';
import { UrlIndex } from './url-index.ts';

/** Says when each version of an Experience is the one that users see. */
export type ScheduledExperience = Publication & { id: string; position: number; sort_key: string };

type Schedule = Pick<
  PublishedAccount,
  'experience' | 'liveExperiences' | 'candidates' | 'goals' | 'awaiting' | 'awaitsEvents' | 'launchersCompletedBy'
>;

/** What somebody has to do for a goal of an Experience; undefined if its shared goal is gone. */
type RuleOf = (goal: ExperienceGoal | undefined) => GoalRule | undefined;

/** Finds what is live at a time. It is computed again only when an Experience begins or ends. */
export function createSchedule(
  rows: readonly ScheduledExperience[],
  versions: ReadonlyMap<string, PublishedExperience>,
  sharedGoals: ReadonlyMap<string, GoalRule>,
): Schedule {
  const ruleOf: RuleOf = (goal) => (goal?.goal_id ? sharedGoals.get(goal.goal_id) : goal);
  const times = rows.flatMap(listTimes).sort((first, second) => first - second);
  let current: Period | undefined;
  const periodAt = (now: Millis): Period => {
    if (current && now >= current.from && now < current.until) return current;
    const live = rows.flatMap((row) => {
      const version = versions.get(publishedVersionOf(row, now) ?? '');
      // The position comes from the draft, because a new order of priority takes effect without publishing.
      return version ? [atPosition(version, row)] : [];
    });
    const from = times.findLast((time) => time <= now) ?? Number.NEGATIVE_INFINITY;
    const until = times.find((time) => time > now) ?? Number.POSITIVE_INFINITY;
    current = new Period(live.sort(compareByPosition), from, until, ruleOf);
    return current;
  };
  return {
    experience: (id, now) => periodAt(now).byId.get(id),
    liveExperiences: (now) => periodAt(now).live,
    candidates: (page, now) => periodAt(now).index.candidates(page),
    goals: (event, now) => periodAt(now).goals.get(event) ?? [],
    awaiting: (event, now) => periodAt(now).awaiting.get(event) ?? [],
    awaitsEvents: (now) => periodAt(now).awaiting.size + periodAt(now).launchers.size > 0,
    launchersCompletedBy: (event, now) => periodAt(now).launchers.get(event) ?? [],
  };
}

/** A time range in which the same Experiences are live. */
class Period {
  readonly live: readonly PublishedExperience[];
  readonly from: Millis;
  readonly until: Millis;
  readonly byId: ReadonlyMap<string, PublishedExperience>;
  readonly index: UrlIndex<PublishedExperience>;
  /** The Experiences with their primary goal, by the event that meets it. */
  readonly goals = new Map<string, EventGoal[]>();
  /** What waits for an event, by its name. */
  readonly awaiting = new Map<string, Awaiting[]>();
  /** The launchers with items that an event can complete, by its name. */
  readonly launchers = new Map<string, PublishedExperience[]>();

  constructor(live: readonly PublishedExperience[], from: Millis, until: Millis, ruleOf: RuleOf) {
    this.live = live;
    this.from = from;
    this.until = until;
    this.byId = new Map(live.map((experience) => [experience.id, experience]));
    this.index = new UrlIndex(live);
    for (const { id, goal } of live) {
      const rule = ruleOf(goal);
      if (rule?.kind !== 'event' || rule.event_name === null) continue;
      this.goals.set(rule.event_name, [...(this.goals.get(rule.event_name) ?? []), { id, goal: rule }]);
    }
    for (const experience of live)
      for (const event of experience.events)
        this.awaiting.set(event.name, [...(this.awaiting.get(event.name) ?? []), { experience, event }]);
    for (const experience of live)
      for (const name of new Set(experience.checklist?.items.flatMap(({ events }) => events)))
        this.launchers.set(name, [...(this.launchers.get(name) ?? []), experience]);
  }
}

function listTimes({ published_at, next_published_at, published_until }: ScheduledExperience): Millis[] {
  return [published_at, next_published_at, published_until].filter((time) => time !== null);
}

/** Returns the same object if the Experience has the position of its version, as most Experiences do. */
function atPosition(version: PublishedExperience, { position, sort_key: sortKey }: ScheduledExperience) {
  if (version.position === position && version.sortKey === sortKey) return version;
  return { ...version, position, sortKey };
}
