import Type, { type Static } from 'typebox';
import { Nullable, OneOf, OutputObject, standardFields, Text, Time, Timestamp } from '../basics/schema.ts';
import { seenField } from './url.ts';

/** An Environment, such as staging. */
export const UrlGroup = OutputObject({
  ...standardFields,
  archived_at: Nullable(Timestamp),
  name: Type.String(),
  description: Nullable(Type.String()),
  short_name: Nullable(Type.String()),
  style_short_name_color: Nullable(Type.String({ pattern: '^[0-9A-F]{6}$' })),
});
export type UrlGroup = Static<typeof UrlGroup>;

const name = Text('the name of the Environment');
const optionalFields = {
  description: Type.Optional(Nullable(Text('a description', 2000))),
  short_name: Type.Optional(Nullable(Text('a short name of 1 to 3 characters', 3))),
  style_short_name_color: Type.Optional(
    Nullable(
      Type.Unsafe<string>({
        type: 'string',
        pattern: '^[0-9A-Fa-f]{6}$',
        description: '6 hex digits without `#`, such as `1E90FF`',
      }),
    ),
  ),
};

export const CreateUrlGroup = Type.Object({ name, ...optionalFields });
export type CreateUrlGroup = Static<typeof CreateUrlGroup>;

export const UpdateUrlGroup = Type.Object({
  name: Type.Optional(name),
  ...optionalFields,
  archived_at: Type.Optional(Nullable(Time)),
  ...seenField,
  urls_action_on_archive: OneOf(['ignore', 'archive'], { default: 'ignore' }),
});
export type UpdateUrlGroup = Static<typeof UpdateUrlGroup>;
