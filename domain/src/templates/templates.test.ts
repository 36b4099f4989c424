import { describe, expect, it } from 'vitest';
import { listPublishProblems } from '../content/publish.ts';
import { templateIds, templatePurposes } from '../content/template-ids.ts';
import { listTranslatableSteps } from '../content/translatable-texts.ts';
import { countTranslated } from '../content/translations.ts';
import { isTask } from '../kinds/task.ts';
import { listTemplates } from './templates.ts';

it('has thirteen templates in the order of their IDs, grouped by what they are for', () => {
  const templates = listTemplates();
  expect(templates).toHaveLength(13);
  expect(templates.map(({ id }) => id)).toEqual(templateIds);
  const purposes = templates.map(({ purpose }) => purpose);
  expect(purposes).toEqual(templatePurposes.flatMap((one) => purposes.filter((other) => other === one)));
  expect(new Set(purposes).size).toBe(templatePurposes.length);
});

it('has different IDs in all templates', () => {
  const ids = listTemplates().flatMap(({ modelId, document }) => [
    modelId,
    ...document.steps.flatMap(({ id, buttons }) => [id, ...buttons.map((button) => button.id)]),
    ...(document.items ?? []).map(({ id }) => id),
  ]);
  expect(new Set(ids).size).toBe(ids.length);
});

describe.each(listTemplates())('template $id', ({ modelId, document, translations }) => {
  it('can be published once its placeholders are replaced', () => {
    const text = JSON.stringify(document);
    const placeholders = text.match(/https:\/\/your-product\.example[^"]*/g) ?? [];
    const problems = listPublishProblems(document, new Map());
    expect(problems.map(({ detail }) => detail)).toEqual(
      placeholders.map((address) => `its address "${address}" is a placeholder: write the address of a page`),
    );
    const replaced = JSON.parse(text.replaceAll('https://your-product.example', ''));
    expect(listPublishProblems(replaced, new Map())).toEqual([]);
  });

  it('looks like a checklist only if its items can be checked off', () => {
    const { list_type, items = [] } = document;
    if (list_type === 'checklist') expect(items.filter(isTask).length).toBeGreaterThan(1);
  });

  it('reads well for people of whom nothing is known', () => {
    const tags = JSON.stringify([document, translations]).match(/\{\{.*?\}\}/g) ?? [];
    for (const tag of tags) expect(tag).toContain('| fallback: ');
  });

  it('has every text in Arabic', () => {
    const texts = listTranslatableSteps(modelId, document).flatMap((step) => step.texts);
    expect(texts.length).toBeGreaterThan(2);
    expect(countTranslated(texts, [translations.ar ?? {}]).translated_count).toBe(texts.length);
    for (const text of Object.values(translations.ar ?? {}).flatMap(Object.values))
      expect(text.replaceAll(/\{\{.*?\}\}/g, '')).not.toMatch(/[a-z]/i);
  });
});
