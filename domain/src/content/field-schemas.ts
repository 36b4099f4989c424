import Type, { type TProperties, type TSchema, type TUnsafe } from 'typebox';
import { formatChoices } from '../basics/input.ts';
import { Id, IdOf, Nullable, notInFiles, OneOf, OutputObject, Text, Time, Timestamp } from '../basics/schema.ts';
import { withArticle } from '../fields/derive.ts';
import type { EventTrigger, Field, Fields, FieldType, PageElement as PageElementValue } from '../fields/field.ts';
import { DEFAULT_GOAL_DAYS, goalFields } from '../fields/goal-fields.ts';
import { MAX_OPTION_TEXT, OPTION_ID_PATTERN, questionFields } from '../fields/question-fields.ts';
import { answerOps, END } from '../fields/rules.ts';
import { kindPaths } from '../kinds/kinds.ts';
import { matchTypes } from '../patterns/url-match.ts';
import { PICTURE_PATH_PATTERN } from '../pictures/picture-path.ts';
import type { Filter } from '../targeting/filter.ts';
import { Filters } from '../targeting/segment.ts';
import { importedElementSchemas } from './imported-element-schemas.ts';

/* The schemas of the fields of Experiences and of their parts: of their parameters, and of what responses show. */

interface Limits {
  max?: number | undefined;
  what?: string | undefined;
}

interface Schemas {
  read: TSchema;
  show: TSchema;
}

const elementFields = {
  selector: nullableText('a CSS selector', 1000),
  text: nullableText('a text that the element holds', 500),
  shadow_selector: nullableText(
    'a CSS selector within the shadow root of the first; ` >>> ` stands between several levels',
    1000,
  ),
};
const ElementParameter = Type.Object(
  {
    ...Object.fromEntries(
      Object.entries(elementFields).map(([name, { read }]) => [name, Type.Optional({ ...read, default: null })]),
    ),
    ...importedElementSchemas.read,
  },
  { description: 'an object with `selector`, `text` or both' },
);
export const PageElement = Type.Unsafe<PageElementValue>(
  OutputObject({
    ...Object.fromEntries(Object.entries(elementFields).map(([name, { show }]) => [name, show])),
    ...importedElementSchemas.show,
  }),
);
export type PageElement = PageElementValue;

const UrlParameter = Type.Object({
  url: Text('a pattern such as `/settings/*`', 2000),
  match_type: OneOf(matchTypes, { default: 'simple' }),
});
const QuantifierUrlOutput = OutputObject({ url: Type.String(), match_type: OneOf(matchTypes) });

const DAY_SECONDS = 86_400;
const EventParameter = Type.Object(
  {
    name: Type.Unsafe<string>({
      type: 'string',
      format: 'event_name',
      maxLength: 255,
      description: 'the name of an event',
    }),
    filters: Type.Unsafe<Filter[]>({ ...Filters, format: 'event_filters', default: [] }),
    delay_seconds: Type.Unsafe<number>({
      ...{ type: 'integer', minimum: 0, maximum: DAY_SECONDS, default: 0 },
      description: `a whole number of seconds, up to ${DAY_SECONDS}`,
    }),
    within_seconds: Type.Unsafe<number>({
      ...{ type: 'integer', minimum: 1, maximum: 30 * DAY_SECONDS, default: DAY_SECONDS },
      description: `a whole number of seconds from 1 to ${30 * DAY_SECONDS}`,
    }),
  },
  { description: 'an object with the `name` of an event' },
);
const EventOutput = Type.Unsafe<EventTrigger>(
  OutputObject({
    name: Type.String(),
    filters: Type.Array(Type.Object({}, { additionalProperties: true })),
    delay_seconds: Type.Integer(),
    within_seconds: Type.Integer(),
  }),
);

function nullableText(what: string, max: number): Schemas {
  return { read: Nullable(Text(what, max)), show: Nullable(Type.String()) };
}

function list(read: TSchema, show: TSchema, { max: maxItems, what: description }: Limits): Schemas {
  return { read: Type.Unsafe<unknown>({ ...Type.Array(read), maxItems, description }), show: Type.Array(show) };
}

const OptionParameter = Type.Object({
  id: Type.Unsafe<string>({
    ...{ type: 'string', pattern: `^${OPTION_ID_PATTERN}$` },
    description: 'a word of lowercase letters, digits, `-` and `_`, which is stored with each answer',
  }),
  text: Type.Unsafe<string>({ type: 'string', maxLength: MAX_OPTION_TEXT, description: 'the text of the answer' }),
});
const OptionOutput = OutputObject({ id: Type.String(), text: Type.String() });

/** In a request, a step that has no ID yet is named by its place in the list. */
const stepReference = (description: string) => Type.Unsafe<string>({ type: 'string', format: 'step', description });
const answerValue = Type.Unsafe<string | string[]>({
  ...{ type: ['string', 'array'], items: { type: 'string' }, format: 'answer' },
  description: 'the answer to compare with, or a list for `in`',
});
const WhenParameter = Type.Object(
  {
    step_id: Type.Optional(stepReference('the ID of a step, or its place in the list')),
    op: Type.Optional(OneOf(answerOps)),
    value: Type.Optional(Nullable(answerValue)),
    filters: Type.Optional(Filters),
  },
  { description: 'an object with `step_id`, `op` and `value`, or with `filters`' },
);
const RuleParameter = Type.Object({
  when: Type.Optional(Type.Unsafe<object | null>({ ...Nullable(WhenParameter), default: null })),
  go: stepReference(`the ID of a step, its place in the list, or \`${END}\``),
});
const RuleOutput = OutputObject({
  when: Nullable(
    OutputObject({
      step_id: Type.Optional(Type.String()),
      op: Type.Optional(OneOf(answerOps)),
      value: Type.Optional(Nullable(Type.Union([Type.String(), Type.Array(Type.String())]))),
      filters: Type.Optional(Type.Unsafe<unknown[]>({ type: 'array', items: { type: 'object' } })),
    }),
  ),
  go: Type.String(),
});

const writtenText = ({ what = '', max = 0 }: Field) => nullableText(what, max);
const schemasOf: Record<FieldType, (field: Field) => Schemas> = {
  text: writtenText,
  shown_text: writtenText,
  markdown: writtenText,
  address: writtenText,
  code: writtenText,
  shown_texts: ({ item, ...field }) => list(Text(item ? withArticle(item.name) : '', item?.max), Type.String(), field),
  name: ({ what = '', max }) => ({ read: Text(what, max), show: Type.String() }),
  range: ({ what: description }) => ({
    read: Nullable(
      Type.Unsafe<string>({ type: 'string', pattern: '^\\d{1,3}(\\.\\d{1,2})?-\\d{1,3}(\\.\\d{1,2})?$', description }),
    ),
    show: Nullable(Type.String()),
  }),
  picture: ({ what: description }) => ({
    read: Nullable(Type.Unsafe<string>({ type: 'string', pattern: `^${PICTURE_PATH_PATTERN}$`, description })),
    show: Nullable(Type.String()),
  }),
  boolean: () => ({ read: Type.Boolean(), show: Type.Boolean() }),
  number: ({ what: description, min: minimum = 0, max: maximum }) => ({
    read: Nullable(Type.Unsafe<number>({ type: 'number', minimum, maximum, description })),
    show: Nullable(Type.Number()),
  }),
  place: ({ what: description, max: maximum }) => ({
    read: Type.Unsafe<number>({ type: 'integer', minimum: 0, maximum, description }),
    show: Type.Integer(),
  }),
  time: ({ isState }) => ({ read: isState ? notInFiles(Nullable(Time)) : Nullable(Time), show: Nullable(Timestamp) }),
  id: ({ what: description, of = [] }) => ({
    read: Nullable(Type.Unsafe<string>({ ...IdOf(...listNouns(of)), description })),
    show: Nullable(Id),
  }),
  ids: ({ what: description, max, of = [] }) =>
    list(Type.Unsafe<string>({ ...IdOf(...of), description }), Id, { what: 'a list of IDs', max }),
  hosts: (field) => list(Text('a host such as `app.example.com`', 255), Type.String(), field),
  word: ({ words = [] }) => ({ read: OneOf(words), show: OneOf(words) }),
  optional_word: ({ words, ...field }) =>
    words ? { read: Nullable(OneOf(words)), show: Nullable(OneOf(words)) } : writtenText(field),
  words: (field) => list(readWord(field), OneOf(listWords(field)), field),
  element: () => ({ read: Nullable(ElementParameter), show: Nullable(PageElement) }),
  elements: (field) => list(ElementParameter, PageElement, field),
  urls: (field) => list(UrlParameter, QuantifierUrlOutput, field),
  event: () => ({ read: Nullable(EventParameter), show: Nullable(EventOutput) }),
  filters: () => ({ read: Filters, show: Type.Array(Type.Object({}, { additionalProperties: true })) }),
  question: ({ what: description = '' }) => {
    const { kind, ...others } = toParameterSchemas(questionFields);
    return {
      read: Nullable(
        Type.Object({ ...others, kind: OneOf(questionFields.kind.words ?? []) } as TProperties, { description }),
      ),
      show: Nullable(OutputObject(toOutputSchemas(questionFields))),
    };
  },
  options: (field) => list(OptionParameter, OptionOutput, field),
  rules: (field) => list(RuleParameter, RuleOutput, field),
  goals: (field) => list(goalSchemas().read, goalSchemas().show, field),
};

/** One of the goals of an Experience: its own with the fields of a goal, or a shared one by `goal_id`. */
function goalSchemas(): Schemas {
  const goal_id = Nullable(Type.Unsafe<string>({ ...IdOf('goals'), description: 'the ID of a shared goal' }));
  const read = {
    id: Type.Optional(
      notInFiles(Type.Unsafe<string>({ ...Id, description: 'the ID of a goal that is there, or none for a new one' })),
    ),
    goal_id: Type.Optional(goal_id),
    primary: Type.Optional(Type.Boolean()),
    ...toParameterSchemas(goalFields),
    within_days: withinDays,
    // A shared goal has its name elsewhere.
    name: Type.Optional(Type.Unsafe<string>({ type: 'string', maxLength: 255, description: 'the name of the goal' })),
  };
  const show = { id: Id, goal_id: Nullable(Id), primary: Type.Boolean(), ...toOutputSchemas(goalFields) };
  return {
    read: Type.Object(read, { description: 'an object with the `kind` of the goal, or with a `goal_id`' }),
    show: OutputObject(show),
  };
}

/** The nouns of the paths. `experiences` stands for all kinds. */
function listNouns(of: readonly string[]): readonly string[] {
  return of.flatMap((noun) => (noun === 'experiences' ? kindPaths : noun));
}

function listWords({ words = [], foreign = {} }: Field): string[] {
  return [...words, ...Object.keys(foreign)];
}

/** Messages offer only our own words. checkForeignWords says which documents may have the others. */
function readWord(field: Field): TSchema {
  const description = field.foreign && formatChoices(field.words ?? []);
  return Type.Unsafe({ ...OneOf(listWords(field)), ...(description && { description }) });
}

export function toParameterSchemas(fields: Fields): TProperties {
  return mapFields(fields, (field) => Type.Optional(schemasOf[field.type](field).read));
}

type OutputSchemas<F extends Fields> = { [Name in keyof F]: TUnsafe<F[Name]['initial']> };

export function toOutputSchemas<F extends Fields>(fields: F): OutputSchemas<F> {
  return mapFields(fields, (field) => schemasOf[field.type](field).show) as OutputSchemas<F>;
}

function mapFields<To>(fields: Fields, change: (field: Field) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(field)]));
}

/** Null is no limit, so it is not what comes without it. */
export const withinDays = Type.Optional(
  Type.Unsafe<number | null>({
    ...(toParameterSchemas({ days: goalFields.within_days }).days as TSchema),
    default: DEFAULT_GOAL_DAYS,
  }),
);
