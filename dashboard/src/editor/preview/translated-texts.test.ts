import { applyTexts, type Document, listTranslatableSteps } from '@usher/domain';
import { expect, it } from 'vitest';
import { examples } from '../../pages/components/preview/examples.ts';
import { toTranslations } from './translated-texts.ts';

it.each(['tour', 'survey', 'choice', 'launcher', 'banner'] as const)(
  'applies the translations that the API shows to the draft: %s',
  (example) => {
    const { id } = examples[example];
    const steps = listTranslatableSteps(id, examples[example]).map(({ texts }) => ({
      texts: texts.map(({ modelId, field, text }, at) => ({
        ...{ model_id: modelId, field, text },
        translations: { de: { text: `${text}!` }, ...(at === 0 && { ar: { text: 'أهلا' } }) },
      })),
    }));
    const { de = {}, ar = {} } = toTranslations(steps);
    const words = (document: Document) =>
      listTranslatableSteps(id, document).flatMap((step) => step.texts.map(({ text }) => text));
    const source = words(examples[example]);
    expect(source.length).toBeGreaterThan(0);
    expect(words(applyTexts(id, examples[example], de))).toEqual(source.map((text) => `${text}!`));
    expect(words(applyTexts(id, examples[example], ar)).filter((text, at) => text !== source[at])).toEqual(
      steps.flatMap(({ texts }) => (texts.length > 0 ? ['أهلا'] : [])),
    );
  },
);
