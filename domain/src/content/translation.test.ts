import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns } from '../../test/random-runs.ts';
import type { ExperienceKind } from '../kinds/kinds.ts';
import { parseMarkdown } from '../rich-text/markdown.ts';
import { parseText } from '../rich-text/merge-tag.ts';
import type { Texts } from './content.ts';
import type { Document } from './experience.ts';
import type { ExperienceFields } from './experience-parameters.ts';
import { writeDocument } from './experience-write.ts';
import { applyTexts, listTranslatableSteps, localize } from './translatable-texts.ts';
import { diffDefaultTexts, diffTranslatedTexts } from './translation-changes.ts';
import { CompactExperience, readTexts, readTranslationFile } from './translation-file.ts';
import { countTranslated } from './translations.ts';

const id = 'e'.repeat(24);

function documentOf(kind: ExperienceKind, input: ExperienceFields): Document {
  let made = 0;
  return writeDocument(kind, undefined, input, () => String(++made).padStart(24, '0'), []);
}
const tour = documentOf('tour', {
  steps: [
    { title: 'Hello', body: 'Text', dropdown_items: ['a', 'b'], buttons: [{ text: 'Next' }, {}] },
    { title: 'Bye' },
  ],
});
const launcher = documentOf('launcher', { title: 'Help', items: [{ title: 'Docs' }, { kind: 'divider' }] });
const textsIn = (document: Document) => listTranslatableSteps(id, document).flatMap(({ texts }) => texts);
/** The file as it is downloaded. */
const fileOf = (document: Document) => ({
  id,
  steps: listTranslatableSteps(id, document).map((step) => ({
    id: step.id,
    translations: Object.fromEntries(step.texts.map(({ key, text }) => [key, { text }])),
  })),
  path: 'experiences[0]',
});

const input = fc.record({
  kind: fc.constantFrom<ExperienceKind>('tour', 'survey', 'launcher', 'tooltip', 'embed'),
  title: fc.option(fc.string()),
  steps: fc.array(
    fc.record({
      title: fc.option(fc.string()),
      body: fc.option(fc.string()),
      dropdown_items: fc.array(fc.string(), { maxLength: 3 }),
      label_high: fc.option(fc.string()),
      buttons: fc.array(fc.record({ text: fc.option(fc.string()) }), { maxLength: 2 }),
    }),
    { maxLength: 1 },
  ),
  items: fc.array(fc.record({ title: fc.option(fc.string()) }), { maxLength: 2 }),
});
const documents = input.map(({ kind, ...fields }) => documentOf(kind, fields));

describe('translatable texts', () => {
  it('have a unique key in their step', () => {
    const button = tour.steps[0]?.buttons[0]?.id;
    expect(listTranslatableSteps(id, tour).map(({ texts }) => texts.map(({ key }) => key))).toEqual([
      ['title', 'body', 'dropdown_items:0:text', 'dropdown_items:1:text', `buttons:${button}:text`],
      ['title'],
    ]);
  });

  it('list a launcher and its items as steps with their IDs', () => {
    const [docs, divider] = launcher.items ?? [];
    expect(listTranslatableSteps(id, launcher).map((step) => step.id)).toEqual([id, docs?.id, divider?.id]);
  });

  it('leave the document unchanged when they are applied to it', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const texts: Texts = {};
        for (const { modelId, field, text } of textsIn(document)) texts[modelId] = { ...texts[modelId], [field]: text };
        expect(applyTexts(id, document, texts)).toEqual(document);
      }),
    );
  });

  it('replace all texts and nothing else', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const texts: Texts = {};
        for (const { modelId, field } of textsIn(document)) texts[modelId] = { ...texts[modelId], [field]: 'other' };
        const after = applyTexts(id, document, texts);
        expect(textsIn(after).map(({ key }) => key)).toEqual(textsIn(document).map(({ key }) => key));
        expect(textsIn(after).every(({ text }) => text === 'other')).toBe(true);
        const others = (one: Document) => JSON.stringify(one, (_, value) => (typeof value === 'string' ? '' : value));
        expect(others(after)).toBe(others(document));
      }),
    );
  });

  it('add no text to a field without one', () => {
    const [step] = tour.steps;
    const texts = { [step?.id ?? '']: { dismiss_text: 'Close', 'dropdown_items.7': 'h', unknown: 'x' } };
    expect(applyTexts(id, tour, texts)).toEqual(tour);
  });
});

describe('localize', () => {
  const [first, second] = tour.steps.map((step) => step.id) as [string, string];
  const translations = {
    pt: { [first]: { title: 'Olá', body: 'Texto' } },
    'pt-BR': { [first]: { title: 'Oi' } },
    de: { [second]: { title: 'Tschüss' } },
  };
  const textsFor = (language: string | null) =>
    localize(id, { document: tour, translations }, language).steps.map(({ title, body }) => [title, body]);

  it('uses for each text the best match of the browser language', () => {
    expect(textsFor('pt-BR')).toEqual([
      ['Oi', 'Texto'],
      ['Bye', null],
    ]);
    expect(textsFor('pt-PT')[0]).toEqual(['Olá', 'Texto']);
  });

  it('uses the default text where there is no translation', () => {
    expect(textsFor('de-CH')).toEqual([
      ['Hello', 'Text'],
      ['Tschüss', null],
    ]);
    for (const language of ['fr', '', null])
      expect(localize(id, { document: tour, translations }, language)).toBe(tour);
  });
});

describe('a translation file', () => {
  it('changes nothing when it is uploaded unchanged, in any language', () => {
    fc.assert(
      fc.property(documents, fc.boolean(), (document, isTranslated) => {
        const problems: string[] = [];
        const found = readTexts(fileOf(document), listTranslatableSteps(id, document), problems);
        const count = textsIn(document).length;
        expect(diffDefaultTexts(found, problems)).toEqual({ texts: {}, sources: {}, updated: 0, unchanged: count });
        const texts: Texts = {};
        if (isTranslated) for (const { of } of found) texts[of.modelId] = { ...texts[of.modelId], [of.field]: of.text };
        expect(diffTranslatedTexts(found, [texts], problems)).toMatchObject({ texts, updated: 0, unchanged: count });
        expect(problems).toEqual([]);
      }),
    );
  });

  it('gives the same texts and problems in the compact layout', () => {
    const edits = fc.record({ drop: fc.nat(8), rename: fc.nat(8), repeatStep: fc.boolean(), dropStep: fc.boolean() });
    fc.assert(
      fc.property(documents, fc.option(edits), (document, edit) => {
        const steps = listTranslatableSteps(id, document);
        const laidOut = steps.map((step) => [step.id, ...step.texts.flatMap(({ key, text }) => [key, `${text}!`])]);
        const [first] = laidOut;
        if (edit && first) {
          first.splice(1 + 2 * edit.drop, 2);
          if (first[1 + 2 * edit.rename] !== undefined) first[1 + 2 * edit.rename] = '__proto__';
          if (edit.repeatStep) laidOut.push([...first]);
          if (edit.dropStep) laidOut.shift();
        }
        const plain = laidOut.map(([step, ...texts]) => ({
          id: step,
          translations: Object.fromEntries(
            texts.flatMap((key, at) => (at % 2 === 0 ? [[key, { text: texts[at + 1] }]] : [])),
          ),
        }));
        const read = (input: unknown) => {
          const problems: string[] = [];
          const file = readTranslationFile({ id, language: { code: 'de' }, experiences: [input] }, problems);
          const found = (file?.experiences ?? []).flatMap((experience) => readTexts(experience, steps, problems));
          return { found, problems };
        };
        const quick = read(new CompactExperience(id, JSON.stringify(laidOut)));
        expect(quick).toEqual(read({ id, name: '', steps: plain }));
        if (!edit) expect(quick.found).toHaveLength(textsIn(document).length);
      }),
    );
  });

  it('stores texts that differ, and removes translations that are empty', () => {
    const [first, second] = tour.steps.map((step) => step.id) as [string, string];
    const file = fileOf(tour);
    Object.assign(file.steps[0]?.translations ?? {}, { title: { text: 'Hallo' }, body: { text: '' } });
    Object.assign(file.steps[1]?.translations ?? {}, { title: { text: '' } });
    const before = { [first]: { body: 'Alt' }, [second]: { title: 'Tschüss' }, gone: { title: 'kept' } };
    const found = readTexts(file, listTranslatableSteps(id, tour), []);
    expect(diffTranslatedTexts(found, [before], [])).toEqual({
      texts: { [first]: { title: 'Hallo' }, gone: { title: 'kept' } },
      sources: { [first]: { title: expect.any(String) } },
      updated: 3,
      unchanged: 3,
    });
    expect(before[first]).toEqual({ body: 'Alt' });
    expect(diffDefaultTexts(found, []).texts[first]).toEqual({ title: 'Hallo', body: '' });
  });

  it('stores a text that differs from what users of the language see, also when it equals the source', () => {
    const file = fileOf(tour);
    const [first] = tour.steps.map((step) => step.id) as [string];
    const source = listTranslatableSteps(id, tour)[0]?.texts[0]?.text ?? '';
    const found = readTexts(file, listTranslatableSteps(id, tour), []);
    const portuguese = { [first]: { title: 'Olá' } };
    expect(diffTranslatedTexts(found, [{}, portuguese], [])).toMatchObject({
      texts: { [first]: { title: source } },
      updated: 1,
    });
    expect(diffTranslatedTexts(found, [{ [first]: { title: source } }, portuguese], []).updated).toBe(0);
    expect(diffTranslatedTexts(found, [{}, {}], []).updated).toBe(0);
  });

  it('accepts merge tags in its texts', () => {
    const file = fileOf(tour);
    Object.assign(file.steps[0]?.translations ?? {}, { title: { text: 'Hallo {{first_name | fallback: "du"}}' } });
    const problems: string[] = [];
    expect(diffDefaultTexts(readTexts(file, listTranslatableSteps(id, tour), problems), problems).updated).toBe(1);
    expect(problems).toEqual([]);
  });

  it('rejects a text that is too long for its field', () => {
    const step = listTranslatableSteps(id, tour)[0]?.texts.map(({ key, maxLength: most }) => [key.split(':')[0], most]);
    expect(step).toEqual([
      ['title', 500],
      ['body', 20_000],
      ['dropdown_items', 200],
      ['dropdown_items', 200],
      ['buttons', 200],
    ]);
  });

  it('reads its language as a canonical code', () => {
    const problems: string[] = [];
    const file = readTranslationFile({ id, language: { code: 'PT-br' }, experiences: [] }, problems);
    expect([file, problems]).toEqual([{ id, code: 'pt-BR', experiences: [] }, []]);
  });

  it('rejects any other content with problems instead of exceptions', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (value, steps) => {
        const problems: string[] = [];
        readTranslationFile(value, problems);
        readTranslationFile({ id, language: value, experiences: [{ id, name: '', steps: value }, steps] }, problems);
        readTexts(
          { id, steps: [steps, { id: tour.steps[1]?.id, translations: value }], path: '' },
          listTranslatableSteps(id, tour),
          problems,
        );
        expect(problems.length).toBeGreaterThan(0);
      }),
    );
  });
});

it('checks a text as Markdown or plain, depending on its field', () => {
  const document = documentOf('launcher', { title: 'Help', description: 'All of it' });
  const link = '[x](javascript:alert)';
  const found = listTranslatableSteps(id, document).flatMap(({ texts }) =>
    texts.map((of) => ({ of, text: link, path: of.key })),
  );
  const problems: string[] = [];
  diffDefaultTexts(found, problems);
  expect(found.map(({ path }) => path)).toEqual(['title', 'description']);
  expect(problems).toEqual([expect.stringMatching(/^`description\.text` has /)]);
});

it('skips parsing only for texts that have no problems', () => {
  const document = documentOf('launcher', { title: 'Help', description: 'All of it' });
  const pieces = [
    '{{',
    '{',
    '}}',
    '#if x',
    '/if',
    '[',
    ']',
    '(',
    ')',
    '](',
    '<',
    '>',
    'javascript:',
    '!',
    '\\',
    '`',
    '\n',
    '- ',
    'a',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { minLength: 1 }), (input) => {
      const text = `x${input.join('')}`;
      const found = listTranslatableSteps(id, document).flatMap(({ texts }) =>
        texts.map((of) => ({ of, text, path: of.key })),
      );
      const problems: string[] = [];
      diffDefaultTexts(found, problems);
      const wrong = [parseText(text), parseMarkdown(text)].filter((parsed) => 'problem' in parsed);
      expect(problems).toHaveLength(wrong.length);
    }),
    { numRuns: randomRuns(200) },
  );
});

it('counts the texts that a language has itself, and the texts of its parent language', () => {
  const [first] = tour.steps.map((step) => step.id) as [string];
  const all = listTranslatableSteps(id, tour).flatMap(({ texts }) => texts);
  const none = { texts_count: 6, translated_count: 0, inherited_count: 0, outdated_count: 0, unreviewed_count: 0 };
  expect(countTranslated(all, [])).toEqual(none);
  const own = { [first]: { title: 'Oi', dismiss_text: 'not there' }, gone: { title: 'x' } };
  const parent = { [first]: { title: 'Olá', body: 'Texto' } };
  expect(countTranslated(all, [own])).toEqual({ ...none, translated_count: 1 });
  expect(countTranslated(all, [own, parent])).toEqual({ ...none, translated_count: 1, inherited_count: 1 });
});
