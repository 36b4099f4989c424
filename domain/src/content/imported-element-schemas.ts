import Type, { type TProperties, type TSchema } from 'typebox';
import { Nullable, Text } from '../basics/schema.ts';
import { importedElementKeys } from '../fields/imported-element.ts';

/* The schemas of what an imported element has besides its selector. A response has only what was imported. */

const MAX_TEXT = 2000;

/** An attribute can be empty. */
const text = (name: string) =>
  Type.Unsafe<string>({ type: 'string', maxLength: MAX_TEXT, description: `the \`${name}\` of an imported element` });
const count = (what: string) =>
  Type.Unsafe<number>({ type: 'integer', minimum: 0, description: `a whole number from 0: ${what}` });

const special: Record<string, { read: TSchema; show: TSchema }> = {
  use: {
    read: Type.Unsafe<string[]>({
      ...Type.Array(Text('the name of a field of the element', 50)),
      maxItems: 30,
      description: 'a list of names: which fields of an imported element find it',
    }),
    show: Type.Array(Type.String()),
  },
  attr_data: {
    read: Type.Unsafe<string | Record<string, string>>({
      ...{ type: ['string', 'object'], format: 'attributes' },
      description: 'a text such as `data-test="save"`, or an object of texts',
    }),
    show: Type.Union([Type.String(), Type.Record(Type.String(), Type.String())]),
  },
  arity: { read: count('how many elements matched'), show: Type.Integer() },
  path_index: { read: count('which of these it was'), show: Type.Integer() },
};

const mapKeys = (change: (name: string) => TSchema): TProperties =>
  Object.fromEntries(importedElementKeys.map((name) => [name, Type.Optional(Nullable(change(name)))]));

export const importedElementSchemas = {
  read: mapKeys((name) => special[name]?.read ?? text(name)),
  show: mapKeys((name) => special[name]?.show ?? Type.String()),
};
