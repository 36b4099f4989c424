import type {
  AccountStepBudget,
  Condition,
  ExperienceKind,
  LimitGroup,
  Millis,
  PageAddress,
  PublishedData,
  Topic,
  Url,
} from '@usher/domain';
import { type Publication, publishedVersionOf } from './publication.ts';
import type { PublishedExperience } from './published-experience.ts';
import { UrlIndex } from './url-index.ts';

/** What page loads of one account read: all of it in memory, made once for each version. */
export interface PublishedAccount extends PublishedData<PublishedExperience> {
  id: string;
  version: number;
  /** Public: it names the account in the browser script. */
  token: string;
  /** Signs the tokens of visits. */
  visitKey: string;
  requireUidHash: boolean;
  uidSecret: string | null;
  /** Whether unproven pages may change and read everything of the user they name. */
  trustPages: boolean;
  allowScripts: boolean;
  /** What matching URL patterns may cost, over all page loads. */
  patternSteps: AccountStepBudget;
  /** By host. */
  urls: ReadonlyMap<string, PublishedUrl>;
  segments: ReadonlyMap<string, Condition>;
  segmentNames: ReadonlyMap<string, string>;
  environmentNames: ReadonlyMap<string, string>;
  limitGroups: readonly LimitGroup[];
  /** Those that are enabled. */
  webhooks: readonly LiveWebhook[];
  /** The kind of any Experience, live or not. */
  kindOf(id: string): ExperienceKind | undefined;
  /** One that is live at a time. */
  experience(id: string, now: Millis): PublishedExperience | undefined;
  /** All that are, by position, then ID. */
  live(now: Millis): readonly PublishedExperience[];
  /** Those among them that can begin on this page, and few others. */
  candidates(page: PageAddress, now: Millis): readonly PublishedExperience[];
  /** The IDs of those whose goal this event meets. */
  goals(event: string, now: Millis): readonly string[];
}

/** What a webhook asks for. */
interface LiveWebhook {
  id: string;
  topics: readonly Topic[];
  experience_ids: readonly string[];
}

/** The times are those from when it was loaded. */
export interface PublishedUrl {
  id: string;
  enabled: Url['enabled'];
  url_group_id: string | null;
  archived: boolean;
  installed_at: Millis | null;
  first_seen_at: Millis | null;
  last_seen_at: Millis | null;
}

/** When each version of an Experience is the one that users see. */
export type Scheduled = Publication & { id: string };

type Answers = Pick<PublishedAccount, 'experience' | 'live' | 'candidates' | 'goals'>;

/** What is live at a time: found anew only when the time has come for one to begin or to end. */
export function liveAt(rows: readonly Scheduled[], versions: ReadonlyMap<string, PublishedExperience>): Answers {
  const moments = rows.flatMap(momentsOf).sort((one, other) => one - other);
  let known: Now | undefined;
  const at = (now: Millis): Now => {
    if (known && now >= known.from && now < known.until) return known;
    const live = rows.flatMap((row) => versions.get(publishedVersionOf(row, now) ?? '') ?? []);
    const from = moments.findLast((moment) => moment <= now) ?? Number.NEGATIVE_INFINITY;
    const until = moments.find((moment) => moment > now) ?? Number.POSITIVE_INFINITY;
    known = new Now(live.sort(inOrder), from, until);
    return known;
  };
  return {
    experience: (id, now) => at(now).byId.get(id),
    live: (now) => at(now).live,
    candidates: (page, now) => at(now).index.candidates(page),
    goals: (event, now) => at(now).goals.get(event) ?? [],
  };
}

/** One stretch of time, in which the same ones are live. */
class Now {
  readonly live: readonly PublishedExperience[];
  readonly from: Millis;
  readonly until: Millis;
  readonly byId: ReadonlyMap<string, PublishedExperience>;
  readonly index: UrlIndex<PublishedExperience>;
  readonly goals = new Map<string, string[]>();

  constructor(live: readonly PublishedExperience[], from: Millis, until: Millis) {
    this.live = live;
    this.from = from;
    this.until = until;
    this.byId = new Map(live.map((experience) => [experience.id, experience]));
    this.index = new UrlIndex(live);
    for (const { id, goal } of live) if (goal !== null) this.goals.set(goal, [...(this.goals.get(goal) ?? []), id]);
  }
}

function momentsOf({ published_at, next_published_at, published_until }: Scheduled): Millis[] {
  return [published_at, next_published_at, published_until].filter((moment) => moment !== null);
}

function inOrder(one: PublishedExperience, other: PublishedExperience): number {
  return one.position - other.position || (one.id < other.id ? -1 : 1);
}
