import Type, { type Static } from 'typebox';
import { Nullable, OneOf, OutputObject, standardFields, Text, Timestamp } from '../basics/schema.ts';
import type { Millis } from '../basics/time.ts';
import { type EventFacts, mergeEventFacts } from './event-facts.ts';
import { typeOfValue, type Value } from './value.ts';

export const propertyKinds = ['profile', 'event', 'company'] as const;
export type PropertyKind = (typeof propertyKinds)[number];
/** Names of events are registered like Properties, as a kind that has its own list. */
export type RegisteredKind = PropertyKind | 'event_name';

export const Property = OutputObject({
  ...standardFields,
  name: Type.String(),
  description: Nullable(Type.String()),
  kind: OneOf(propertyKinds),
  prop: Type.String(),
  integration: Nullable(Type.String()),
  last_seen_at: Nullable(Timestamp),
  types: Type.Array(Type.String()),
  values: Type.Array(Type.Unknown()),
  /** Hidden ones are left out of the list. */
  hidden: Type.Boolean(),
});
export type Property = Static<typeof Property>;

const name = Text('the name of the Property');
const description = Text('a description', 2000);
const hidden = Type.Boolean({ description: '`true` to leave it out of lists and suggestions' });

export const CreateProperty = Type.Object({ name, description, kind: OneOf(propertyKinds) });
export type CreateProperty = Static<typeof CreateProperty>;

export const UpdateProperty = Type.Object({
  name: Type.Optional(name),
  description: Type.Optional(description),
  hidden: Type.Optional(hidden),
});
export type UpdateProperty = Static<typeof UpdateProperty>;

/** Which names a list has. */
export const listHidden = Type.Boolean({ default: false, description: '`true` to list the hidden ones instead' });

export const ListProperties = Type.Object({
  kind: OneOf(propertyKinds),
  integration: Type.Optional(Text('the source of the Property, such as `api`')),
  order: OneOf(['created_at', 'last_seen_at'], { default: 'created_at' }),
  hidden: listHidden,
});
export type ListProperties = Static<typeof ListProperties>;

export const integrations = ['api', 'browser', 'import'] as const;
export type Integration = (typeof integrations)[number];

/** How many names of one source are registered automatically in an account. Values of further keys are still stored. */
export const MAX_REGISTERED_NAMES = 10_000;
/**
 * The same limit for names that only unproven pages have sent: in total, and new names in a day. Users who were seen before share
 * a second daily limit of the same size, so that made-up users cannot use it up.
 */
export const MAX_UNPROVEN_NAMES = 2000;
export const MAX_NEW_UNPROVEN_NAMES = 200;

/** Unproven pages of one user (`once`) or of several users (`often`) have sent a name that no backend and no proven page has sent. */
export type UnprovenUse = 'once' | 'often';

/** A value, and the ID of the profile or Company that has it. The value is deleted together with that record. */
export interface Sample {
  value: Value;
  of: string;
}

/** The values of one property in one or several requests. */
export interface SeenProperty {
  kind: RegisteredKind;
  prop: string;
  /** The name as it was sent. Without it, the key is the name. */
  name?: string;
  integration: Integration;
  /** Whether an unproven page has sent it. */
  isUnproven: boolean;
  types: readonly string[];
  /** The most recent first. */
  samples: readonly Sample[];
  /** Only of the names of events. */
  facts?: EventFacts;
  at: Millis;
}

type SeenValues = Pick<SeenProperty, 'types' | 'samples' | 'facts'>;

const MAX_SAMPLES = 10;
/** How many values of one property are checked in one chunk of a batch. */
const MAX_VALUES_CHECKED = 30;
/** Larger values are not useful as samples. */
const MAX_SAMPLE_LENGTH = 800;

/** Collects the values of one property from several rows, the most recent last. Null means that the value was removed. */
export function toSeenProperty(
  property: Omit<SeenProperty, 'types' | 'samples'>,
  values: readonly { value: Value | null; of: string }[],
): SeenProperty {
  const present = values.filter((seen): seen is Sample => seen.value !== null);
  const types = new Set(present.map(({ value }) => typeOfValue(value)));
  return {
    ...property,
    types: [...types],
    samples: dedupeSamples(present.slice(-MAX_VALUES_CHECKED).reverse()),
  };
}

/** Merges newly seen values into the known ones. */
export function mergeSeenValues(known: SeenValues, seen: SeenValues): SeenValues {
  return {
    types: [...new Set([...known.types, ...seen.types])],
    samples: dedupeSamples([...seen.samples, ...known.samples]),
    ...(seen.facts && { facts: known.facts ? mergeEventFacts(known.facts, seen.facts) : seen.facts }),
  };
}

/** Who has sent a name, after it was seen again. It stays `once` while only one user has sent it. */
export function mergeUnprovenUse(
  known: { unproven: UnprovenUse | null; samples: readonly Sample[] },
  seen: Pick<SeenProperty, 'isUnproven' | 'samples'>,
): UnprovenUse | null {
  if (known.unproven === null || !seen.isUnproven) return null;
  const users = new Set([...known.samples, ...seen.samples].map(({ of }) => of));
  return known.unproven === 'once' && users.size <= 1 ? 'once' : 'often';
}

function dedupeSamples(samples: readonly Sample[]): Sample[] {
  const byText = new Map<string, Sample>();
  for (const sample of samples) {
    const text = JSON.stringify(sample.value);
    if (text.length <= MAX_SAMPLE_LENGTH && !byText.has(text)) byText.set(text, sample);
    if (byText.size === MAX_SAMPLES) break;
  }
  return [...byText.values()];
}
