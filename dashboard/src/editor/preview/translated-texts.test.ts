import { applyTexts, listTranslatableSteps } from '@usher/domain';
import { describe, expect, it } from 'vitest';
import { examples } from '../../pages/parts/preview/examples.ts';
import { toChangedTexts } from './translated-texts.ts';

/** A translation file as the server writes it. */
const fileOf = (example: keyof typeof examples, translate: (text: string) => string) =>
  listTranslatableSteps(examples[example].id, examples[example]).map(({ id, texts }) => ({
    id,
    translations: Object.fromEntries(texts.map(({ key, text }) => [key, { text: translate(text) }])),
  }));
const same = (text: string) => text;

describe('the texts of a translation file', () => {
  it.each(['tour', 'survey', 'choice', 'launcher', 'banner'] as const)('are applied to the draft: %s', (example) => {
    const { id } = examples[example];
    const texts = toChangedTexts(
      fileOf(example, (text) => `${text}!`),
      fileOf(example, same),
    );
    const applied = listTranslatableSteps(id, applyTexts(id, examples[example], texts));
    const words = applied.flatMap((step) => step.texts.map(({ text }) => text));
    expect(words.length).toBeGreaterThan(0);
    expect(words.filter((text) => !text.endsWith('!'))).toEqual([]);
  });

  it('are left out where nobody has translated them', () => {
    expect(toChangedTexts(fileOf('tour', same), fileOf('tour', same))).toEqual({});
  });
});
