import { describe, expect, it } from 'vitest';
import { findPublishProblems } from '../content/publish.ts';
import { countTranslated, listTranslatableSteps } from '../content/translatable-texts.ts';
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
    const { texts, translated } = countTranslated(listTranslatableSteps(modelId, document), translations.ar ?? {});
    expect(texts).toBeGreaterThan(2);
    expect(translated).toBe(texts);
  });
});
