import Type, { type Static } from 'typebox';
import { Id, Nullable, OutputObject } from '../basics/schema.ts';
import type { Millis } from '../basics/time.ts';
import type { Document } from '../content/experience.ts';
import type { Condition, PropertyTest } from '../targeting/condition.ts';
import { compileExperience } from './compiled-experience.ts';

/** The users that an Experience is for, whatever pages they are on. */
export const Audience = OutputObject({
  /** How many users the draft is for. */
  count: Type.Integer(),
  /** How many users the live version is for; null if it is not live. */
  before: Nullable(Type.Integer()),
  /** False if there was no time to look at all users. Then both counts are minimums. */
  is_complete: Type.Boolean(),
  /** About how many there are of both; the counts if they are complete. */
  estimate: OutputObject({ count: Type.Integer(), before: Nullable(Type.Integer()) }),
  /** Some of the users that the draft is for. */
  sample: Type.Array(
    OutputObject({ id: Id, uid: Type.String(), email: Nullable(Type.String()), name: Nullable(Type.String()) }),
  ),
});
export type Audience = Static<typeof Audience>;

/**
 * Matches the users that a document is for: users in its Segments and in its share of an experiment, unless they are switched
 * off.
 * @param canBeDisabled false if no user of the account is switched off
 */
export function toTargetCondition(document: Document, now: Millis, canBeDisabled: boolean): Condition {
  const { segmentIds, inAnySegment, excludedSegmentIds, experiment } = compileExperience('', document);
  const inSegment = (id: string): Condition => ({ is: 'in segment', id });
  const wanted = segmentIds.map(inSegment);
  return {
    is: 'all',
    of: [
      ...(canBeDisabled ? [isEnabled] : []),
      ...(experiment && experiment.at <= now ? toShare(experiment) : []),
      ...(wanted.length > 0 ? [{ is: inAnySegment ? ('any' as const) : ('all' as const), of: wanted }] : []),
      ...excludedSegmentIds.map((id) => not(inSegment(id))),
    ],
  };
}

/** Users who are not switched off. */
export const isEnabled: Condition = not({
  is: 'property',
  field: { of: 'profile', path: ['disabled'] },
  test: { is: 'equal', to: [true], ignoringCase: false },
});

/** The end of a share is not in the share, except 100 percent. */
function toShare({ low, high }: { low: number; high: number }): Condition[] {
  const percent = (test: PropertyTest): Condition => ({
    is: 'property',
    field: { of: 'profile', fact: { name: 'percent', type: 'number' } },
    test,
  });
  const from = percent({ is: 'ordered', op: '>=', than: low });
  return high === 100 ? [from] : [from, percent({ is: 'ordered', op: '<', than: high })];
}

function not(of: Condition): Condition {
  return { is: 'not', of };
}
