import type { Document } from './experience.ts';

/** An Experience as administrators edit it: the document and its texts in other languages. */
export interface Content {
  document: Document;
  translations: Translations;
}

/** The texts of each language, by language code. */
export type Translations = Record<string, Texts>;

/** The texts of one language as they are stored: with a hash of the source text of each, if it is known. */
export interface StoredTexts {
  texts: Texts;
  sources: Texts;
}

/** The texts of one language: by the ID of the model, then by the field. */
export type Texts = Record<string, Record<string, string>>;
