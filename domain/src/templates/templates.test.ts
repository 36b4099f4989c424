import { describe, expect, it } from 'vitest';
import { findPublishProblems } from '../content/publish.ts';
import { listTranslatableSteps } from '../content/translatable-texts.ts';
import { countTranslated } from '../content/translations.ts';
import { listTemplates } from './templates.ts';

describe.each(listTemplates())('template $id', ({ modelId, document, translations }) => {
  it('can be published as it is', () => {
    expect(findPublishProblems(document, new Map())).toEqual([]);
  });

  it('reads well for people of whom nothing is known', () => {
    const tags = JSON.stringify([document, translations]).match(/\{\{.*?\}\}/g) ?? [];
    for (const tag of tags) expect(tag).toContain('| fallback: ');
  });

  it('has every text in Arabic', () => {
    const texts = listTranslatableSteps(modelId, document).flatMap((step) => step.texts);
    expect(texts.length).toBeGreaterThan(2);
    expect(countTranslated(texts, [translations.ar ?? {}]).translated_count).toBe(texts.length);
  });
});
