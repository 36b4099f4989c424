import Type, { type Static } from 'typebox';
import { Id, Nullable, OneOf, OutputObject, Time, Timestamp } from '../basics/schema.ts';
import { experienceKinds } from '../kinds/kinds.ts';
import { markKinds } from './publishing-marks.ts';

/** What of an Experience is compared before and after a moment. */
export const newsMeasures = ['completion', 'start', 'goal', 'nps', 'people'] as const;
export type NewsMeasure = (typeof newsMeasures)[number];

export const newsTypes = [
  /** A number changed by more than chance. */
  'changed',
  'went_live',
  /** A survey has new Responses. */
  'responses',
  /** A step began to fail. */
  'step_failing',
] as const;
export type NewsType = (typeof newsTypes)[number];

/** What administrators did that can change numbers: what was published, or a Segment or an Environment. */
export const momentKinds = [...markKinds, 'segment', 'environment'] as const;

const Day = Type.Unsafe<string>({ type: 'string', format: 'date' });
const Count = Type.Integer();

const Measured = OutputObject({
  /** The first and the last day. */
  from: Day,
  until: Day,
  /** A share from 0 to 1, an NPS from -100 to 100, or a number of people. */
  value: Type.Number(),
  people: Count,
});

export const NewsEntry = OutputObject({
  type: OneOf(newsTypes),
  target: OutputObject({ type: OneOf(experienceKinds), id: Id, name: Type.String() }),
  /** The first and the last day of what it is about. */
  from: Day,
  until: Day,
  /** Only of `changed`. */
  measure: Nullable(OneOf(newsMeasures)),
  before: Nullable(Measured),
  after: Nullable(Measured),
  /** What an administrator did before a number changed, or what made an Experience live. */
  moment: Nullable(OutputObject({ what: OneOf(momentKinds), at: Timestamp, change_id: Nullable(Id) })),
  /** Since when a step fails. */
  since: Nullable(Timestamp),
  /** How many people have seen it, how many Responses are new, or how many people did not see the step. */
  count: Nullable(Count),
  /** How many of the new Responses have a comment. */
  comments_count: Nullable(Count),
  /** The step that fails, with its place in the draft, where 0 is the first. */
  step: Nullable(OutputObject({ id: Id, index: Nullable(Type.Integer()) })),
});
export type NewsEntry = Static<typeof NewsEntry>;

export const GetNews = Type.Object({ since: Type.Optional(Time) });

export const News = OutputObject({
  /** Since when: by default, the last visit of the administrator to Home, at least a day and at most 30 days ago. */
  since: Timestamp,
  /** The most important first, and at most 5. */
  news: Type.Array(NewsEntry),
});
export type News = Static<typeof News>;
