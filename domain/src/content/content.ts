import type { Document } from './experience.ts';

/** An Experience as administrators edit it: the document and its texts in other languages. */
export interface Content {
  document: Document;
  translations: Translations;
}

/** The texts of each language, by language code. */
export type Translations = Record<string, Texts>;

/** The texts of one language: by the ID of the model, then by the field. */
export type Texts = Record<string, Record<string, string>>;
