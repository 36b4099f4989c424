import Type, { type Static } from 'typebox';
import { Answer, Nullable, OneOf, standardFields, Text, Timestamp } from './schema.ts';

export const propertyKinds = ['profile', 'event', 'company'] as const;
export type PropertyKind = (typeof propertyKinds)[number];

export const Property = Answer({
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
