import { firstIdAt } from '../basics/id.ts';
import type { Texts, Translations } from '../content/content.ts';
import type { Document } from '../content/experience.ts';
import type { ExperienceFields } from '../content/experience-parameters.ts';
import { sortFields, writeDocument } from '../content/experience-write.ts';
import type { TemplateId } from '../content/template-ids.ts';
import { listTranslatableSteps } from '../content/translatable-texts.ts';
import type { ExperienceKind } from '../kinds/kinds.ts';

/** A draft to start from, with its texts in other languages. */
export interface Template {
  id: TemplateId;
  kind: ExperienceKind;
  name: string;
  description: string;
  /** The ID of the Experience, by which the translations of a launcher name it. */
  modelId: string;
  document: Document;
  translations: Translations;
}

/** A template as it is written. It is data only, so that bundles without templates leave it out. */
export interface TemplateDefinition {
  id: TemplateId;
  /** The number of the template: it makes the IDs of its parts. */
  number: number;
  kind: ExperienceKind;
  name: string;
  description: string;
  fields: ExperienceFields;
  /** Each text in Arabic. Texts that are used twice have one translation. */
  arabic: Record<string, string>;
}

export function buildTemplate({ number, fields, arabic, ...template }: TemplateDefinition): Template {
  let count = 0;
  const newId = () => firstIdAt(number * 1_000_000 + ++count);
  const problems: string[] = [];
  const input = { name: template.name, ...fields };
  const document = sortFields(writeDocument(template.kind, undefined, input, newId, problems));
  if (problems.length > 0) throw new Error(problems.join(' '));
  const modelId = firstIdAt(number * 1_000_000);
  return { ...template, modelId, document, translations: { ar: translate(modelId, document, arabic) } };
}

function translate(id: string, document: Document, words: Record<string, string>): Texts {
  const texts: Texts = {};
  for (const { modelId, field, text } of listTranslatableSteps(id, document).flatMap((step) => step.texts)) {
    const translated = words[text];
    if (translated === undefined) throw new Error(`There is no translation of "${text}"`);
    texts[modelId] = { ...texts[modelId], [field]: translated };
  }
  return texts;
}
