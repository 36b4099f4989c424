import Type, { type Static } from 'typebox';
import { isRecord } from '../basics/input.ts';
import { ExternalId, Id, Nullable, OneOf, OutputObject, standardFields, Time, Timestamp } from '../basics/schema.ts';
import type { Millis } from '../basics/time.ts';
import { joinNames, listKindsWith } from '../kinds/kinds.ts';
import type { DeliveryPosition, Placement } from './place-delivery.ts';

const modelKinds = listKindsWith('isExclusive');
const removedReasons = ['segment_mismatch'] as const;
const groupKinds = ['link', 'api_js', 'launcher', 'experiment', 'campaign', 'delivery'] as const;

/** An Experience to be triggered for one profile. */
export const Delivery = OutputObject({
  ...standardFields,
  model_id: Id,
  model_kind: OneOf(modelKinds),
  profile_id: Id,
  idempotency_key: Nullable(Type.String()),
  options: Type.Unsafe<unknown>({}),
  from: Nullable(Timestamp),
  until: Nullable(Timestamp),
  use_segmentation: Type.Boolean(),
  once: Type.Boolean(),
  skip_triggers: Type.Boolean(),
  skip_url_match: Type.Boolean(),
  at: Nullable(Timestamp),
  at_href: Nullable(Type.String()),
  interaction_id: Nullable(Id),
  group_kind: Nullable(OneOf(groupKinds)),
  removed_at: Nullable(Timestamp),
  removed_reason: Nullable(OneOf(removedReasons)),
});
export type Delivery = Static<typeof Delivery>;
/** Why the server removed a Delivery from the list: the profile was not in the Segments of the Experience at a page load. */
export type RemovedReason = (typeof removedReasons)[number];

export type DeliveryOptions = Record<string, unknown>;

const boolean = (value: boolean) => Type.Unsafe<boolean>({ type: 'boolean', default: value });

/** The profile of the Delivery: exactly one of these. */
const target = {
  profile_id: Type.Optional(Nullable(Id)),
  uid: Type.Optional(Nullable(ExternalId('the ID that your product has for the user'))),
  email: Type.Optional(Nullable(ExternalId('an email address'))),
};
const content = {
  idempotency_key: Type.Optional(Nullable(ExternalId('a key of your own'))),
  options: Type.Optional(
    Nullable(
      Type.Unsafe<DeliveryOptions>({
        type: 'object',
        additionalProperties: true,
        description: 'an object: what merge tags such as `{{delivery "manager.name"}}` show',
      }),
    ),
  ),
  from: Type.Optional(Nullable(Time)),
  until: Type.Optional(Nullable(Time)),
};
const pendingListFields = {
  delivery_ids_limit: Type.Optional(
    Type.Unsafe<number>({ type: 'integer', description: 'a whole number of 1 or more' }),
  ),
  delivery_ids_position: Type.Optional(
    Type.Unsafe<DeliveryPosition>({
      format: 'position',
      anyOf: [
        { type: 'string', enum: ['first', 'last'] },
        { type: 'integer', minimum: 0 },
      ],
      description: '`first`, `last` or an index from 0',
    }),
  ),
};
const atLimitOptions = ['error', 'drop'] as const satisfies readonly Placement['atLimit'][];
const anId = `the ID of a published ${joinNames(modelKinds, 'or')}`;

export const CreateDelivery = Type.Object({
  model_kind: OneOf(modelKinds),
  model_id: Type.Unsafe<string>({ ...Id, description: anId }),
  ...target,
  ...content,
  use_segmentation: boolean(false),
  once: boolean(false),
  skip_triggers: boolean(true),
  skip_url_match: boolean(true),
  ...pendingListFields,
  delivery_ids_at_limit: OneOf(atLimitOptions, { default: 'error' }),
});
export type CreateDelivery = Static<typeof CreateDelivery>;

export const UpdateDelivery = Type.Object({
  model_kind: Type.Optional(OneOf(modelKinds)),
  model_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: anId })),
  ...target,
  ...content,
  use_segmentation: Type.Optional(Type.Boolean()),
  once: Type.Optional(Type.Boolean()),
  skip_triggers: Type.Optional(Type.Boolean()),
  skip_url_match: Type.Optional(Type.Boolean()),
  ...pendingListFields,
  delivery_ids_at_limit: OneOf(atLimitOptions, { default: 'error' }),
});
export type UpdateDelivery = Static<typeof UpdateDelivery>;

interface TargetFields {
  profile_id?: string | null;
  uid?: string | null;
  email?: string | null;
}

/** How the profile of a Delivery is found. */
export type DeliveryTarget = { id: string } | { uid: string } | { email: string };

/** Reads the profile of a Delivery: undefined when there is none, a problem when there are several. */
export function parseTarget({
  profile_id,
  uid,
  email,
}: TargetFields): DeliveryTarget | undefined | { problem: string } {
  const named: DeliveryTarget[] = [];
  if (profile_id != null) named.push({ id: profile_id });
  if (uid != null) named.push({ uid });
  if (email != null) named.push({ email });
  if (named.length > 1) return { problem: 'Give one of `profile_id`, `uid` and `email`, not several' };
  return named[0];
}

const MAX_OPTIONS = 16_384;
const MAX_OPTIONS_DEPTH = 64;

/** Lists the problems of the content of a Delivery. */
export function findDeliveryProblems({
  from_at,
  until_at,
  options,
}: {
  from_at: Millis | null;
  until_at: Millis | null;
  options: unknown;
}): string[] {
  const problems = [];
  if (from_at !== null && until_at !== null && from_at > until_at) problems.push('`from` must not be after `until`');
  const problem = options === null ? undefined : findOptionsProblem(options);
  if (problem) problems.push(`\`options\` ${problem}`);
  return problems;
}

/** Checks level by level, so that no depth can overflow the stack. */
function findOptionsProblem(options: unknown): string | undefined {
  let level = [options];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_OPTIONS_DEPTH) return `are nested deeper than ${MAX_OPTIONS_DEPTH} levels`;
    if (level.some((value) => !isStorable(value))) return 'must be valid Unicode without NUL characters';
    level = level.flatMap((value) => {
      if (Array.isArray(value)) return value;
      return isRecord(value) ? Object.entries(value).flat() : [];
    });
  }
  if (JSON.stringify(options).length > MAX_OPTIONS) return `must be ${MAX_OPTIONS} characters of JSON at most`;
  return undefined;
}

function isStorable(value: unknown): boolean {
  return typeof value !== 'string' || (!value.includes('\0') && value.isWellFormed());
}

/** Lists the Deliveries that fill the list of a profile, so that the client can remove one. */
export function describePending(pending: readonly { id: string; until_at: Millis | null }[], now: Millis): string {
  const names = pending.map(({ id, until_at }) => (until_at !== null && until_at < now ? `${id} (expired)` : id));
  return `Pending are ${names.join(', ')}`;
}
