import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { content, document, EXPERIENCE_ID as id, translations } from '../../test/experience-arbitrary.ts';
import type { Content, Translations } from '../content/content.ts';
import { type Document, emptyDocument } from '../content/experience.ts';
import { type ExperienceKind, experienceKinds } from '../kinds/kinds.ts';
import { applyChanges, invertChanges } from './apply.ts';
import type { Diff, ModelChange } from './change.ts';
import { diffDocuments, diffLanguage, diffTexts } from './diff.ts';
import { sortByFieldOrder } from './field-order.ts';
import { flatten, unflatten } from './flatten.ts';

const isScalar = (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value);

function apply(before: Document, changes: ModelChange[]): Document {
  return applyChanges(id, { document: before, translations: {} }, changes).document;
}

/** The changes of the translations from one content to another. */
function diffTranslations(made: Document, before: Translations, after: Translations): ModelChange[] {
  return Object.keys({ ...before, ...after }).flatMap((language) =>
    diffLanguage(id, made, language, before[language] ?? {}, after[language] ?? {}),
  );
}

/** The value at a path of a document. */
function at(made: Document, path: string): unknown {
  if (path === 'model') return made;
  let value: unknown = made;
  for (const key of path.split('.')) value = (value as Record<string, unknown>)[key];
  return value;
}

/** Reverses the keys of all objects, as a database may return them. */
function reversed<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed) as T;
  const entries = Object.entries(value).map(([key, item]) => [key, reversed(item)]);
  return Object.fromEntries(entries.reverse()) as T;
}

const pairs = (kind: ExperienceKind) => fc.tuple(document(kind), document(kind));

describe.each(experienceKinds)('changes of a %s', (kind) => {
  it('applying the diff to the old document returns the new one', () => {
    fc.assert(
      fc.property(pairs(kind), ([before, after]) => {
        expect(apply(before, diffDocuments(id, before, after))).toEqual(after);
      }),
    );
  });

  it('applying the inverted diff returns the old document', () => {
    fc.assert(
      fc.property(pairs(kind), ([before, after]) => {
        expect(apply(after, invertChanges(diffDocuments(id, before, after)))).toEqual(before);
      }),
    );
  });

  it('creates a document from a diff, and restores a destroyed one', () => {
    fc.assert(
      fc.property(document(kind), (made) => {
        const nothing = emptyDocument(kind);
        expect(apply(nothing, diffDocuments(id, null, made))).toEqual(made);
        expect(apply(nothing, invertChanges(diffDocuments(id, made, null)))).toEqual(made);
      }),
    );
  });

  it('finds no changes when only the order of keys differs', () => {
    fc.assert(
      fc.property(document(kind), (made) => {
        expect(diffDocuments(id, made, structuredClone(made))).toEqual([]);
        expect(diffDocuments(id, made, reversed(made))).toEqual([]);
      }),
    );
  });

  it('lists each changed model once, with its path', () => {
    fc.assert(
      fc.property(pairs(kind), ([before, after]) => {
        const changes = diffDocuments(id, before, after);
        expect(new Set(changes.map(({ op, model_id }) => (op === 'destroy' ? '-' : '+') + model_id)).size).toBe(
          changes.length,
        );
        for (const { op, path, model_id } of changes) {
          const model = at(op === 'destroy' ? before : after, path) as { id?: string };
          expect(path === 'model' ? id : model.id).toBe(model_id);
        }
      }),
    );
  });

  it('has flat fields for a created or destroyed model, and pairs that differ for an updated one', () => {
    fc.assert(
      fc.property(pairs(kind), ([before, after]) => {
        const changes = [
          ...diffDocuments(id, before, after),
          ...diffDocuments(id, null, after),
          ...diffDocuments(id, before, null),
        ];
        for (const { op, object } of changes)
          for (const value of Object.values(object)) {
            if (op !== 'update') expect(value).toSatisfy(isScalar);
            else {
              expect(value).toHaveLength(2);
              expect((value as Diff)[0]).not.toEqual((value as Diff)[1]);
            }
          }
      }),
    );
  });

  it('applies and reverts the texts in other languages together with the document', () => {
    const two = content(kind).chain((before) =>
      translations(before.document).map((after): [Content, Translations] => [before, after]),
    );
    fc.assert(
      fc.property(two, ([before, translations]) => {
        const changes = diffTranslations(before.document, before.translations, translations);
        const after = applyChanges(id, before, changes);
        expect(after).toEqual({ document: before.document, translations });
        expect(applyChanges(id, after, invertChanges(changes))).toEqual(before);
        for (const { path, op } of changes) {
          expect(op).toBe('update');
          expect(path).toMatch(/^translations\.(de|pt-BR|zh-Hant)$/);
        }
      }),
    );
  });
});

describe('edits of a document', () => {
  const step = (stepId: string, position: number, buttonIds: string[]) => ({
    id: stepId,
    position,
    buttons: buttonIds.map((buttonId, index) => ({ id: buttonId, position: index, text: buttonId })),
  });
  const tour = (...steps: object[]) => ({ ...emptyDocument('tour'), steps }) as Document;

  it('records a Button that moved to another Step as destroyed and created', () => {
    const before = tour(step('s1', 0, ['b1']), step('s2', 1, []));
    const after = tour(step('s1', 0, []), step('s2', 1, ['b1']));
    expect(diffDocuments(id, before, after)).toMatchObject([
      { op: 'create', model_id: 'b1', path: 'steps.1.buttons.0' },
      { op: 'destroy', model_id: 'b1', path: 'steps.0.buttons.0' },
    ]);
  });

  it('records Steps that swapped places only by their positions', () => {
    const before = tour(step('s1', 0, ['b1']), step('s2', 1, ['b2']));
    const after = tour(step('s2', 0, ['b2']), step('s1', 1, ['b1']));
    expect(diffDocuments(id, before, after)).toEqual([
      { op: 'update', model_id: 's2', model_type: 'Step', path: 'steps.0', object: { position: [1, 0] } },
      { op: 'update', model_id: 's1', model_type: 'Step', path: 'steps.1', object: { position: [0, 1] } },
    ]);
  });

  it('removes a text, and a language without texts', () => {
    const made = tour(step('s1', 0, []));
    const before = { de: { s1: { title: 'Hallo', body: 'Du' } }, fr: { s1: { title: 'Bonjour' } } };
    const changes = diffTranslations(made, before, { de: { s1: { title: 'Hallo' } } });
    expect(changes.map(({ path, object }) => [path, object])).toEqual([
      ['translations.de', { 's1.body': ['Du', null] }],
      ['translations.fr', { 's1.title': ['Bonjour', null] }],
    ]);
    expect(applyChanges(id, { document: made, translations: before }, changes).translations).toEqual({
      de: { s1: { title: 'Hallo' } },
    });
  });

  it('ignores the texts of removed models', () => {
    const texts = { gone: { title: 'Weg' } };
    expect(diffTexts(id, tour(), 'de', texts, {})).toEqual([]);
    expect(diffLanguage(id, tour(), 'de', texts, {})).toEqual([]);
  });
});

describe('flatten and unflatten', () => {
  const key = fc.oneof(
    fc.constantFrom('0', '10', '2', '01', 'a.b', '\\', '\\0', '.', '__proto__', 'constructor', 'toString'),
    fc.string({ minLength: 1 }),
  );
  const { value } = fc.letrec<{ value: unknown; list: unknown[]; object: Record<string, unknown> }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>(null, true, false, '', 'text', 0, 12.5),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('value'), { minLength: 1, maxLength: 12 }),
    object: fc.dictionary(key, tie('value'), { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
  }));
  const fields = fc.dictionary(key, value, { maxKeys: 5, noNullPrototype: true });

  it('restore any object, whatever its keys are', () => {
    fc.assert(
      fc.property(fields, (input) => {
        const flat = flatten(input);
        expect(Object.values(flat).every(isScalar)).toBe(true);
        expect(JSON.stringify(unflatten(reversed(flat)), sortedKeys)).toBe(JSON.stringify(input, sortedKeys));
      }),
    );
  });

  it('use the path as the key', () => {
    expect(flatten({ elements: [{ selector: '#a', text: null }], backdrop: false, tags: [], '7': 'seven' })).toEqual({
      'elements.0.selector': '#a',
      'elements.0.text': null,
      backdrop: false,
      '\\7': 'seven',
    });
  });

  it('do not touch inherited properties', () => {
    const made = unflatten(JSON.parse('{"__proto__.polluted": 1, "constructor.prototype.polluted": 1}'));
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.keys(made)).toEqual(['__proto__', 'constructor']);
  });

  function sortedKeys(_key: string, part: unknown): unknown {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    // Compare lists of pairs, because an object would put numeric keys first, and lose `__proto__`.
    return Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1));
  }
});

describe('sortByFieldOrder', () => {
  it('sorts keys in the order of the model', () => {
    fc.assert(
      fc.property(fc.constantFrom(...experienceKinds).chain(pairs), ([before, after]) => {
        for (const { model_type, object } of [...diffDocuments(id, before, after), ...diffDocuments(id, null, after)]) {
          const shown = sortByFieldOrder(model_type, object);
          expect(shown).toEqual(object);
          expect(JSON.stringify(sortByFieldOrder(model_type, reversed(object)))).toBe(JSON.stringify(shown));
        }
      }),
    );
  });

  it('sorts list indexes as numbers', () => {
    const object = { 'elements.10.text': 'k', 'elements.2.text': 'c', 'elements.2.selector': '#c', title: 'T', x: 1 };
    expect(Object.keys(sortByFieldOrder('Step', object))).toEqual([
      'title',
      'elements.2.selector',
      'elements.2.text',
      'elements.10.text',
      'x',
    ]);
  });
});
