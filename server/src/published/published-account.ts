import type {
  AccountStepBudget,
  AwaitedEvent,
  CompiledEvent,
  Condition,
  ExperienceKind,
  GoalRule,
  Holdout,
  LimitGroup,
  Millis,
  PageAddress,
  PageEnvironment,
  PublishedData,
  TestUserRule,
  Topic,
  Url,
} from '@usher/domain';
import type { PublishedExperience } from './published-experience.ts';
import type { PublishedThemes } from './published-themes.ts';

/** What page loads of one account read. It is in memory, and loaded once for each published version. */
export interface PublishedAccount extends PublishedData<PublishedExperience> {
  id: string;
  version: number;
  /** Public: the browser script identifies the account by it. */
  token: string;
  /** Signs the tokens of visits. */
  visitKey: string;
  requireUidHash: boolean;
  uidSecret: string | null;
  /** Whether unproven pages may change and read everything of the user they name. */
  trustPages: boolean;
  /** Whether users who have not signed in have profiles. */
  anonymousUsers: boolean;
  allowScripts: boolean;
  /** Whether texts may read values of the page's `window`. */
  allowGlobals: boolean;
  /** Whether unproven pages may read `percent` of their user. */
  allowPercent: boolean;
  /** Whether the paths of visited pages are recorded. */
  recordPaths: boolean;
  /** Where the days of results begin. */
  timeZone: string;
  /** Whether a profile is a test user, whom no number counts. */
  isTestUser: TestUserRule;
  /** Until this time, an administrator watches what pages do, and it is recorded. */
  watchedUntil: Millis;
  /** The budget for matching URL patterns, shared by all page loads. */
  patternSteps: AccountStepBudget;
  /** The Urls by host. */
  urls: ReadonlyMap<string, PublishedUrl>;
  segments: ReadonlyMap<string, Condition>;
  segmentNames: ReadonlyMap<string, string>;
  environmentNames: ReadonlyMap<string, string>;
  /** The events that pages count without code. */
  pageEvents: readonly CompiledEvent[];
  /** Undefined if no theme is published. */
  themes: PublishedThemes | undefined;
  limitGroups: readonly LimitGroup[];
  /** Nothing shows automatically to a share of the users; undefined if it is off. */
  holdout: (Holdout & { from: Millis }) | undefined;
  /** The enabled webhooks. */
  webhooks: readonly PublishedWebhook[];
  /** Returns the kind of any Experience, live or not. */
  kindOf(id: string): ExperienceKind | undefined;
  /** Returns the ID of the survey whose public page has this key, live or not. */
  surveyIdOf(key: string): string | undefined;
  /** Returns an Experience if it is live at the time. */
  experience(id: string, now: Millis): PublishedExperience | undefined;
  /** Lists the live Experiences in their order of priority. */
  liveExperiences(now: Millis): readonly PublishedExperience[];
  /** Lists the live Experiences that can begin on this page, and sometimes a few that cannot. */
  candidates(page: PageAddress, now: Millis): readonly PublishedExperience[];
  /** Lists the live Experiences whose primary goal is this event. */
  goals(event: string, now: Millis): readonly EventGoal[];
  /** Lists the live Experiences that wait for this event, each with a step that does. */
  awaiting(event: string, now: Millis): readonly Awaiting[];
  /** Whether anything that is live waits for an event. */
  awaitsEvents(now: Millis): boolean;
  /** Lists the live launchers with items that this event can complete. */
  launchersCompletedBy(event: string, now: Millis): readonly PublishedExperience[];
}

/** A live Experience whose primary goal is an event, which may need some properties. */
export interface EventGoal {
  id: string;
  goal: GoalRule;
}

/** A live Experience, and the event that one of its steps waits for. */
export interface Awaiting {
  experience: PublishedExperience;
  event: AwaitedEvent;
}

export function findUrlGroupId({ urls }: PublishedAccount, host: string | undefined): PageEnvironment {
  return host === undefined ? undefined : (urls.get(host)?.url_group_id ?? null);
}

/** Which events a webhook receives. */
interface PublishedWebhook {
  id: string;
  topics: readonly Topic[];
  experience_ids: readonly string[];
}

/** The times are as of when the account was loaded. */
export interface PublishedUrl {
  id: string;
  enabled: Url['enabled'];
  url_group_id: string | null;
  archived: boolean;
  installed_at: Millis | null;
  first_seen_at: Millis | null;
  last_seen_at: Millis | null;
}
