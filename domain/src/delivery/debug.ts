import Type, { type Static } from 'typebox';
import { Id, Nullable, OneOf, OutputObject, Text, Timestamp } from '../basics/schema.ts';
import { reasonRules } from '../decision/reason.ts';
import { HrefParam } from '../hosts/href.ts';
import { experienceKinds } from '../kinds/kinds.ts';

const DEFAULT_TTL_SECONDS = 3600;
const MAX_TTL_SECONDS = 86_400;

/** A developer requests a token for `usher.debug(token)`. */
export const DebugTokenInput = Type.Object({
  ttl: Type.Unsafe<number>({
    type: 'integer',
    minimum: 1,
    maximum: MAX_TTL_SECONDS,
    default: DEFAULT_TTL_SECONDS,
    description: `the seconds until the token expires, a whole number from 1 to ${MAX_TTL_SECONDS}`,
  }),
});
export type DebugTokenInput = Static<typeof DebugTokenInput>;

export const DebugToken = OutputObject({ token: Type.String(), expires_at: Timestamp });
export type DebugToken = Static<typeof DebugToken>;

/** The debug panel of a page asks why something does not show. */
export const ExplanationsInput = Type.Object({
  visit_token: Type.Optional(Text('the token of the visit', 1000)),
  debug_token: Type.Optional(Text('a debug token', 1000)),
  href: HrefParam,
});
export type ExplanationsInput = Static<typeof ExplanationsInput>;

const reasons = Type.Array(OutputObject({ code: OneOf(reasonRules), message: Type.String() }));

export const ExplanationsOutput = OutputObject({
  explanations: Type.Array(
    OutputObject({
      ...{ id: Id, kind: OneOf(experienceKinds), name: Type.String(), can_show: Type.Boolean(), reasons },
      /** How it looks for the user. Null for the look of the script. */
      theme: Nullable(OutputObject({ name: Type.String(), variation: Nullable(Type.String()) })),
    }),
  ),
  deliveries: Type.Array(OutputObject({ id: Id, model_id: Id, can_show: Type.Boolean(), reasons })),
});
export type ExplanationsOutput = Static<typeof ExplanationsOutput>;
