import Type, { type Static } from 'typebox';
import { OutputObject, standardFields, Text } from '../basics/schema.ts';
import { MAX_LANGUAGE_CODE } from './language.ts';

/** A language other than the default one. */
export const Language = OutputObject({ ...standardFields, code: Type.String() });
export type Language = Static<typeof Language>;

export const LanguageCode = Text('a BCP 47 code such as `de` or `pt-BR`', MAX_LANGUAGE_CODE);
