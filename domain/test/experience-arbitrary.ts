import fc from 'fast-check';
import type { Content, Texts, Translations } from '../src/content/content.ts';
import type { Document } from '../src/content/experience.ts';
import type { Field, Fields, FieldType } from '../src/fields/field.ts';
import { goalKinds } from '../src/fields/goal-fields.ts';
import { partFields } from '../src/fields/part-fields.ts';
import { questionFields } from '../src/fields/question-fields.ts';
import { answerOps, END } from '../src/fields/rules.ts';
import { emptyDocument } from '../src/index.ts';
import { type ExperienceKind, fieldsOfKind, kinds } from '../src/kinds/kinds.ts';
import { matchTypes } from '../src/patterns/url-match.ts';
import { interactionStates } from '../src/targeting/filter.ts';

/*
 * Arbitrary documents. The IDs of parts are drawn from a few, so that two documents share parts, as two states of one
 * Experience do.
 */

export const EXPERIENCE_ID = 'e'.repeat(24);
const idOf = (type: string, number: number) => `${type}${number}`.padEnd(24, '0');

const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 3 });
const words = fc.oneof(fc.constantFrom('Hello', 'Welcome {{first_name}}', 'true', '12', '👋 so', ''), fc.string());
const text = () => orNull(words);
const id = fc.constantFrom(...['a', 'b', 'c'].map((letter) => letter.repeat(24)));
const few = <T>(item: fc.Arbitrary<T>, maxLength = 3) => fc.array(item, { maxLength });
const time = orNull(fc.constantFrom('2029-04-07T12:18:00.000Z', '2030-01-01T00:00:00.000Z'));
const element = fc.record({ selector: text(), text: text(), shadow_selector: text() });
const url = fc.record({ url: words, match_type: fc.constantFrom(...matchTypes) });
const filter = fc.oneof(
  fc.record({ kind: fc.constant('property'), prop: fc.constant('plan'), op: fc.constant('eq'), value: words }),
  fc.record({ kind: fc.constant('event'), op: fc.constant('ex'), value: fc.constantFrom('export', 'invite') }),
);

const stepId = fc.nat(5).map((number) => idOf('5', number));
const test = fc.oneof(
  fc.record({
    ...{ step_id: stepId, op: fc.constantFrom(...answerOps.filter((op) => op !== 'in')), value: orNull(words) },
  }),
  fc.record({ step_id: stepId, op: fc.constant('in'), value: few(words) }),
);
const filters = fc.record({ filters: fc.array(filter, { minLength: 1, maxLength: 3 }) });

/** Values of each type of field. */
const valuesOf: Record<FieldType, (field: Field) => fc.Arbitrary<unknown>> = {
  text,
  shown_text: text,
  markdown: text,
  // More than ten items test that the eleventh comes after the tenth.
  shown_texts: () => fc.oneof(few(words), fc.array(words, { minLength: 11, maxLength: 12 })),
  address: text,
  picture: () =>
    orNull(fc.constantFrom(...['1', '2'].map((one) => `/media/${one.repeat(24)}/${one.repeat(32)}-640x360.png`))),
  code: text,
  name: () => words,
  range: () => orNull(fc.constantFrom('0-50', '50-100')),
  boolean: () => fc.boolean(),
  number: ({ min = 0 }) => orNull(fc.integer({ min, max: 100 })),
  place: () => fc.nat(5),
  time: () => time,
  id: () => orNull(id),
  ids: () => fc.uniqueArray(id),
  hosts: () => fc.uniqueArray(fc.constantFrom('app.example.com', 'localhost')),
  word: ({ words = [] }) => fc.constantFrom(...words),
  optional_word: ({ words }) => (words ? orNull(fc.constantFrom(...words)) : text()),
  words: ({ words = [] }) => fc.uniqueArray(fc.constantFrom(...words), { maxLength: 3 }),
  element: () => orNull(element),
  elements: () => few(element),
  urls: () => few(url),
  event: () =>
    orNull(
      fc.record({
        name: fc.constantFrom('paid', 'invite_sent'),
        filters: few(
          fc.record({ kind: fc.constant('property'), prop: fc.constant('plan'), op: fc.constantFrom('ex', 'nx') }),
        ),
        delay_seconds: fc.nat(60),
        within_seconds: fc.nat(600),
      }),
    ),
  filters: () => few(filter),
  goals: () =>
    fc.uniqueArray(
      fc.record({
        ...{ id, goal_id: orNull(id), primary: fc.constant(false), name: words },
        kind: fc.constantFrom(...goalKinds),
        event_name: orNull(fc.constantFrom('paid', 'invite_sent')),
        ...{ segment_id: orNull(id), experience_id: orNull(id) },
        experience_state: orNull(fc.constantFrom(...interactionStates)),
        filters: few(
          fc.record({ kind: fc.constant('property'), prop: fc.constant('plan'), op: fc.constantFrom('ex', 'nx') }),
        ),
        sum_property: text(),
        within_days: orNull(fc.integer({ min: 1, max: 365 })),
      }),
      { selector: (goal) => goal.id, maxLength: 3 },
    ),
  question: () =>
    orNull(
      fc.record(
        Object.fromEntries(
          Object.entries(questionFields as Fields).map(([name, field]) => [name, valuesOf[field.type](field)]),
        ),
      ),
    ),
  options: () =>
    fc.uniqueArray(fc.record({ id: fc.constantFrom('a', 'b-1', '2', 'yes_no'), text: words }), {
      selector: ({ id }) => id,
    }),
  rules: () => few(fc.record({ when: orNull(fc.oneof(test, filters)), go: fc.oneof(stepId, fc.constant(END)) })),
};

function arbitrary(fields: Fields): Record<string, fc.Arbitrary<unknown>> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, valuesOf[field.type](field)]));
}

type Part = Record<string, unknown> & { id: string };
const placed = (parts: Part[]) => parts.map(({ id, ...part }, position) => ({ id, position, ...part }));

/** Parts in any order, without duplicates. */
function parts(type: string, fields: object, most: number): fc.Arbitrary<Part[]> {
  const part = fc.record({ id: fc.nat(5).map((number) => idOf(type, number)), ...fields });
  return fc.uniqueArray(part as fc.Arbitrary<Part>, { selector: (one) => one.id, maxLength: most });
}

/** The ID of a Button is in only one Step of a document, but not in the same Step of every document. */
function steps(most: number): fc.Arbitrary<unknown[]> {
  return fc
    .tuple(
      parts('5', arbitrary(partFields.steps), most),
      parts('b', { ...arbitrary(partFields.buttons), at: fc.nat(9) }, 6),
    )
    .map(([all, some]) =>
      placed(all).map((step, index) => {
        const mine = some.filter(({ at }) => (at as number) % all.length === index);
        return { ...step, buttons: placed(mine.map(({ at: _, ...button }) => button as Part)) };
      }),
    );
}

/** A stored document of a kind. */
export function document(kind: ExperienceKind): fc.Arbitrary<Document> {
  const lists =
    kinds[kind].parts === 'items'
      ? { steps: fc.constant([]), items: parts('7', arbitrary(partFields.items), 5).map(placed) }
      : { steps: steps(kinds[kind].maxParts ?? 5) };
  return fc
    .record({ ...arbitrary(fieldsOfKind(kind)), ...lists } as Record<string, fc.Arbitrary<unknown>>)
    .map((fields) => ({ ...emptyDocument(kind), ...fields }) as Document);
}

/** A document with texts in other languages. */
export function content(kind: ExperienceKind): fc.Arbitrary<Content> {
  return document(kind).chain((made) =>
    translations(made).map((translations): Content => ({ document: made, translations })),
  );
}

export function translations(made: Document): fc.Arbitrary<Translations> {
  const parts = [...made.steps, ...made.steps.flatMap(({ buttons }) => buttons), ...(made.items ?? [])];
  const ids = [EXPERIENCE_ID, ...parts.map((part) => part.id)];
  const keys = fc.constantFrom('title', 'body', 'dropdown_items:0', '__proto__', 'constructor');
  const mine = fc.dictionary(keys, words, { minKeys: 1, noNullPrototype: true });
  const texts: fc.Arbitrary<Texts> = fc.dictionary(fc.constantFrom(...ids), mine, {
    minKeys: 1,
    noNullPrototype: true,
  });
  return fc.dictionary(fc.constantFrom('de', 'pt-BR', 'zh-Hant'), texts, { noNullPrototype: true });
}
