import Type, { type Static } from 'typebox';
import { Nullable, OneOf, OutputObject, standardFields, Text, Timestamp } from '../basics/schema.ts';
import type { Millis } from '../basics/time.ts';
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
});
export type Property = Static<typeof Property>;

const name = Text('the name of the Property');
const description = Text('a description', 2000);

export const CreateProperty = Type.Object({ name, description, kind: OneOf(propertyKinds) });
export type CreateProperty = Static<typeof CreateProperty>;

export const UpdateProperty = Type.Object({ name: Type.Optional(name), description: Type.Optional(description) });
export type UpdateProperty = Static<typeof UpdateProperty>;

export const ListProperties = Type.Object({
  kind: OneOf(propertyKinds),
  integration: Type.Optional(Text('the source of the Property, such as `api`')),
  order: OneOf(['created_at', 'last_seen_at'], { default: 'created_at' }),
});
export type ListProperties = Static<typeof ListProperties>;

export const integrations = ['api', 'browser', 'import'] as const;
export type Integration = (typeof integrations)[number];

/** How many Properties of one source are registered automatically in an account. Values of further keys are still stored. */
export const MAX_REGISTERED_PROPERTIES: Record<Integration, number> = { api: 10_000, browser: 2000, import: 10_000 };

/** A value, and the ID of the profile or Company that has it: the value is deleted together with it. */
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
  types: readonly string[];
  /** The most recent first. */
  samples: readonly Sample[];
  at: Millis;
}

type SeenValues = Pick<SeenProperty, 'types' | 'samples'>;

const MAX_SAMPLES = 10;
/** So many values of one property are looked at in one part of a batch. */
const MAX_VALUES_CHECKED = 30;
/** Larger values are no useful samples. */
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
  };
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
