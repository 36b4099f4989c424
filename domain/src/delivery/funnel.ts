import Type, { type Static } from 'typebox';
import { IdOf, Nullable, OneOf, OutputObject, pageParameters, Time, Timestamp } from '../basics/schema.ts';
import type { Millis } from '../basics/time.ts';
import { kindPaths } from '../kinds/kinds.ts';
import { type Filter, interactionStates } from '../targeting/filter.ts';
import { Filters } from '../targeting/segment.ts';

/*
 * How many people go through several steps, one after the other. A step is an event or a state of an Experience.
 */

const funnelStepKinds = ['event', 'experience'] as const;
const MIN_FUNNEL_STEPS = 2;
export const MAX_FUNNEL_STEPS = 8;
export const MAX_FUNNEL_DAYS = 365;
const DEFAULT_FUNNEL_DAYS = 14;
const MAX_FUNNEL_SEGMENTS = 5;

const FunnelStepParameter = Type.Object(
  {
    kind: OneOf(funnelStepKinds, { default: 'event' }),
    name: Type.Optional(
      Type.Unsafe<string>({
        ...{ type: 'string', format: 'event_name', maxLength: 255 },
        description: 'the name of an event',
      }),
    ),
    filters: Type.Optional(Type.Unsafe<Filter[]>({ ...Filters, format: 'event_filters' })),
    experience_id: Type.Optional(
      Type.Unsafe<string>({ ...IdOf(...kindPaths), description: 'the ID of an Experience' }),
    ),
    state: Type.Optional(OneOf(interactionStates)),
  },
  { description: 'an object with the `name` of an event, or with an `experience_id` and a `state`' },
);
export type FunnelStep = Static<typeof FunnelStepParameter>;

const steps = Type.Array(FunnelStepParameter, {
  minItems: MIN_FUNNEL_STEPS,
  maxItems: MAX_FUNNEL_STEPS,
  description: `a list of ${MIN_FUNNEL_STEPS} to ${MAX_FUNNEL_STEPS} steps`,
});
const windowDays = Type.Integer({
  ...{ minimum: 1, maximum: MAX_FUNNEL_DAYS },
  description: `a number of days from 1 to ${MAX_FUNNEL_DAYS}`,
});
const segmentIds = Type.Array(Type.Unsafe<string>({ ...IdOf('segments'), description: 'the ID of a Segment' }), {
  maxItems: MAX_FUNNEL_SEGMENTS,
  description: `a list of up to ${MAX_FUNNEL_SEGMENTS} IDs of Segments`,
});

const funnelParameters = {
  steps,
  window_days: { ...windowDays, default: DEFAULT_FUNNEL_DAYS },
  from: Type.Optional(Time),
  until: Type.Optional(Time),
};

/** The types of the params that a saved report has of a funnel. */
export const funnelTypes = { funnel_steps: steps, window_days: windowDays, segment_ids: segmentIds };

export const MAX_FUNNEL_MS: Millis = 30_000;

export const CountFunnel = Type.Object({
  ...funnelParameters,
  split_segment_ids: { ...segmentIds, default: [] },
  within_ms: Type.Integer({
    ...{ minimum: 0, maximum: MAX_FUNNEL_MS, default: 2000 },
    description: `milliseconds from 0 to ${MAX_FUNNEL_MS}`,
  }),
});
export type CountFunnel = Static<typeof CountFunnel>;

/** Which people of a funnel: those who came to a step, or those who left after it. */
export const funnelPeople = {
  ...funnelParameters,
  step: Type.Integer({
    minimum: 1,
    maximum: MAX_FUNNEL_STEPS,
    description: 'the number of a step, the first one is 1',
  }),
  what: OneOf(['reached', 'left'], { default: 'reached' }),
  segment_id: Type.Optional(Type.Unsafe<string>({ ...IdOf('segments'), description: 'the ID of a Segment' })),
};
const FunnelPeople = Type.Object(funnelPeople);
export type FunnelPeople = Static<typeof FunnelPeople>;

export const ListFunnelPeople = Type.Object({
  ...funnelPeople,
  limit: pageParameters.limit,
  before: pageParameters.before,
});
export type ListFunnelPeople = Static<typeof ListFunnelPeople>;

const Share = Nullable(Type.Number());
const CountedFunnelStep = OutputObject({
  people: Type.Integer(),
  /** Of those in the first step, from 0 to 1; null if there are none. */
  share_of_first: Share,
  share_of_previous: Share,
  /** The median time from the step before, rounded to two digits. Null for the first step, and without people. */
  median_seconds: Nullable(Type.Integer()),
});
export type CountedFunnelStep = Static<typeof CountedFunnelStep>;

const Day = Type.Unsafe<string>({ type: 'string', format: 'date' });

export const FunnelResults = OutputObject({
  /** The first and the last day in which people did the first step. */
  from: Day,
  until: Day,
  /** False if the time was over before everybody was looked at. */
  complete: Type.Boolean(),
  /** How much of the people was looked at, from 0 to 1, those who came last first. */
  share: Type.Number(),
  /** What is missing and what to do about it; null if nothing is. */
  message: Nullable(Type.String()),
  /** Since when everything is known, if that is after the beginning of the period: single events are deleted some day. */
  known_since: Nullable(Timestamp),
  steps: Type.Array(CountedFunnelStep),
  /** The same numbers of those who are in a Segment now. */
  segments: Type.Array(OutputObject({ segment_id: Type.String(), steps: Type.Array(CountedFunnelStep) })),
});
export type FunnelResults = Static<typeof FunnelResults>;

/** What is missing in the steps, or does not belong there. */
export function findFunnelProblems(steps: readonly FunnelStep[]): string[] {
  return steps.flatMap(({ kind, name, filters, experience_id, state }, at) => {
    const own = { event: { name }, experience: { experience_id, state } };
    const others = { event: own.experience, experience: { name, filters } };
    return [
      ...namesOf(own[kind], (value) => value === undefined).map(
        (field) => `\`steps[${at}].${field}\` is required with \`kind=${kind}\`: ${expected[field]}`,
      ),
      ...namesOf(others[kind], (value) => value !== undefined).map(
        (field) => `\`steps[${at}].${field}\` does not belong to \`kind=${kind}\`: leave it out`,
      ),
    ];
  });
}

const expected: Record<string, string> = {
  name: 'give the name of an event',
  experience_id: 'give the ID of an Experience',
  state: `give ${interactionStates.map((state) => `\`${state}\``).join(', ')}`,
};

function namesOf(fields: Record<string, unknown>, test: (value: unknown) => boolean): string[] {
  return Object.keys(fields).filter((name) => test(fields[name]));
}
