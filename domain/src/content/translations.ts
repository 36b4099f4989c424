import Type, { type Static } from 'typebox';
import { LanguageCode } from '../account/language-schema.ts';
import { Id, Nullable, OneOf, OutputObject, Timestamp } from '../basics/schema.ts';
import { experienceKinds } from '../kinds/kinds.ts';
import type { Texts } from './content.ts';
import { experienceStates } from './experience.ts';
import { isOutdated, isReviewed } from './source-hash.ts';
import type { TranslatableText } from './translatable-texts.ts';

/*
 * The texts of Experiences beside their translations, as translators edit them one by one.
 */

const count = Type.Integer();
/** How far the translation into a language is. Only texts that users can see count. */
const countFields = {
  texts_count: count,
  translated_count: count,
  /** Texts without a translation of their own, but with one of the parent language: `pt` for `pt-BR`. */
  inherited_count: count,
  /** Texts that are translated, but whose source text has changed since. */
  outdated_count: count,
  /** Texts that a template has translated, that are up to date, and that no person has confirmed yet. */
  unreviewed_count: count,
};
export const LanguageCounts = OutputObject({ code: Type.String(), ...countFields });
export type LanguageCounts = Static<typeof LanguageCounts>;

/** The progress of the translation into a language. */
export const TranslationProgress = OutputObject({
  language: OutputObject({ code: Type.String() }),
  experiences_count: count,
  ...countFields,
});
export type TranslationProgress = Static<typeof TranslationProgress>;

const experienceFields = { id: Id, kind: OneOf(experienceKinds), name: Type.String(), updated_at: Timestamp };

export const ListedTranslations = OutputObject({
  experience: OutputObject({ ...experienceFields, state: OneOf(experienceStates) }),
  languages: Type.Array(LanguageCounts),
});
export type ListedTranslations = Static<typeof ListedTranslations>;

const TranslationOutput = OutputObject({
  text: Type.String(),
  is_outdated: Type.Boolean(),
  /** False for the translation of a template until somebody writes or confirms it. */
  is_reviewed: Type.Boolean(),
});

const TranslatedText = OutputObject({
  model_id: Id,
  field: Type.String(),
  /** Its key in a translation file. */
  key: Type.String(),
  is_markdown: Type.Boolean(),
  max_length: Type.Integer(),
  /** Whether users can see it. */
  is_shown: Type.Boolean(),
  text: Type.String(),
  /** By the code of the language, only its own. */
  translations: Type.Record(Type.String(), TranslationOutput),
  /** The translations of the closest parent language, by the code of a language that has no translation itself. */
  inherited: Type.Record(Type.String(), OutputObject({ code: Type.String(), text: Type.String() })),
});

/** The texts of one Experience and their translations. A launcher and its items are steps, as in a translation file. */
export const ExperienceTranslations = OutputObject({
  experience: OutputObject(experienceFields),
  languages: Type.Array(
    OutputObject({ code: Type.String(), direction: OneOf(['ltr', 'rtl'] as const), ...countFields }),
  ),
  steps: Type.Array(OutputObject({ id: Id, name: Nullable(Type.String()), texts: Type.Array(TranslatedText) })),
});
export type ExperienceTranslations = Static<typeof ExperienceTranslations>;

const MAX_LENGTH = 20_000;
const MAX_TEXTS = 1000;
const translation = (description: string) =>
  Nullable(Type.Unsafe<string>({ type: 'string', maxLength: MAX_LENGTH, description }));

/** The translations to write in one request. */
export const TranslationsParameters = Type.Object({
  language: LanguageCode,
  texts: Type.Unsafe<TextParameter[]>({
    ...Type.Array(
      Type.Object(
        {
          model_id: Type.Unsafe<string>({ ...Id, description: 'the ID of a Step, Button, item or launcher' }),
          field: Type.Unsafe<string>({ type: 'string', maxLength: 100, description: 'a field such as `title`' }),
          text: translation('the translation, or null to remove it'),
          previous: Type.Optional(translation('the translation that you have seen, or null if there was none')),
        },
        { description: 'an object with `model_id`, `field` and `text`' },
      ),
    ),
    maxItems: MAX_TEXTS,
    description: 'a list of texts',
  }),
});

export interface TextParameter {
  model_id: string;
  field: string;
  text: string | null;
  previous?: string | null;
}

export const noCounts = {
  texts_count: 0,
  translated_count: 0,
  inherited_count: 0,
  outdated_count: 0,
  unreviewed_count: 0,
};

/** Counts all texts, the texts that a language has itself, and the texts that it has from its parent languages. */
export function countTranslated(
  texts: readonly TranslatableText[],
  [own = {}, ...parents]: readonly Texts[],
  sources: Texts = {},
): Omit<LanguageCounts, 'code'> {
  const counts = { ...noCounts, texts_count: texts.length };
  for (const text of texts) {
    const { modelId, field } = text;
    if (own[modelId]?.[field] !== undefined) {
      counts.translated_count++;
      if (isOutdated(text, sources)) counts.outdated_count++;
      else if (!isReviewed(text, sources)) counts.unreviewed_count++;
    } else if (parents.some((parent) => parent[modelId]?.[field] !== undefined)) counts.inherited_count++;
  }
  return counts;
}
