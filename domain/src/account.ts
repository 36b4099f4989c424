import Type, { type Static } from 'typebox';
import { Answer, standardFields, Text } from './schema.ts';

export const Account = Answer({
  ...standardFields,
  name: Type.String(),
  /** Public: it names the account in the browser script. */
  token: Type.String(),
  allow_scripts: Type.Boolean(),
});
export type Account = Static<typeof Account>;

export const UpdateAccount = Type.Object({
  name: Type.Optional(Text('the name of the account')),
  allow_scripts: Type.Optional(Type.Boolean()),
});
export type UpdateAccount = Static<typeof UpdateAccount>;
