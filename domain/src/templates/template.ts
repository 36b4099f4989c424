import { firstIdAt } from '../basics/id.ts';
import type { Texts, Translations } from '../content/content.ts';
import type { Document } from '../content/experience.ts';
import type { ExperienceFields } from '../content/experience-parameters.ts';
import { sortFields, writeDocument } from '../content/experience-write.ts';
import type { TemplateId, TemplatePurpose } from '../content/template-ids.ts';
import { listTranslatableSteps } from '../content/translatable-texts.ts';
import type { ExperienceKind } from '../kinds/kinds.ts';

interface TemplateHead {
  id: TemplateId;
  purpose: TemplatePurpose;
  kind: ExperienceKind;
  name: string;
  description: string;
}

/** A draft to start from, with its texts in other languages. */
export interface Template extends TemplateHead {
  /** The ID of the Experience, by which the translations of a launcher name it. */
  modelId: string;
  document: Document;
  translations: Translations;
}

/** A template as it is written. It is data only, so that bundles without templates leave it out. */
export interface TemplateDefinition extends TemplateHead {
  /** Each text that users read is a `TemplateText`. */
  fields: ExperienceFields;
}

/** A text in the default language and in others. */
type TemplateText = Record<'en' | 'ar', string>;

/** `number` makes the IDs of the parts: templates have different ones. */
export function buildTemplate({ fields, ...head }: TemplateDefinition, number: number): Template {
  let count = 0;
  const newId = () => firstIdAt((number + 1) * 1_000_000 + count++);
  const modelId = newId();
  const problems: string[] = [];
  const arabic = new Map<string, string>();
  const input = { name: head.name, ...(takeTexts(fields, arabic) as ExperienceFields) };
  const document = sortFields(writeDocument(head.kind, undefined, input, newId, problems));
  if (problems.length > 0) throw new Error(problems.join(' '));
  return { ...head, modelId, document, translations: { ar: translate(modelId, document, arabic) } };
}

/** Replaces each text by its English, and collects its Arabic. */
function takeTexts(value: unknown, arabic: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => takeTexts(item, arabic));
  if (typeof value !== 'object' || value === null) return value;
  if ('en' in value) {
    const { en, ar } = value as TemplateText;
    arabic.set(en, ar);
    return en;
  }
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, takeTexts(one, arabic)]));
}

function translate(id: string, document: Document, words: ReadonlyMap<string, string>): Texts {
  const texts: Texts = {};
  for (const { modelId, field, text } of listTranslatableSteps(id, document).flatMap((step) => step.texts)) {
    const translated = words.get(text);
    if (translated === undefined) throw new Error(`There is no translation of "${text}"`);
    texts[modelId] = { ...texts[modelId], [field]: translated };
  }
  return texts;
}
