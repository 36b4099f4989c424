import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { Id, Nullable, OneOf, OutputObject, Text, Time, Timestamp } from '../basics/schema.ts';
import { matchTypes } from '../patterns/url-match.ts';
import { groupOps } from '../targeting/filter.ts';
import type { ExperienceKind } from './experience-kind.ts';

/*
 * The fields of an Experience and of its parts. Each field is defined once: the schema of its parameter, the schema of its
 * response, and its initial value.
 */

interface FieldDefinition<S extends TSchema = TSchema> {
  /** The schema of the parameter. */
  read: TSchema;
  /** The schema in responses. */
  show: S;
  initial: unknown;
}

/** The fields whose texts are Markdown. All other texts are plain. */
export const markdownFields: ReadonlySet<string> = new Set(['body', 'description', 'empty_state_content']);

const MAX_TEXT = 500;
const MAX_BODY = 20_000;
const MAX_SCRIPT = 10_000;
export const MAX_PARTS = { steps: 200, buttons: 10, items: 100 } as const;

const text = (what: string, maxLength = MAX_TEXT) => ({
  read: Nullable(Text(what, maxLength)),
  show: Nullable(Type.String()),
  initial: null,
});
const word = <const Words extends readonly string[]>(words: Words, initial: Words[number]) => ({
  read: OneOf(words),
  show: OneOf(words),
  initial,
});
const nullableWord = <const Words extends readonly string[]>(words: Words) => ({
  read: Nullable(OneOf(words)),
  show: Nullable(OneOf(words)),
  initial: null,
});
const boolean = (initial: boolean) => ({ read: Type.Boolean(), show: Type.Boolean(), initial });
const number = (what: string, minimum: number, maximum: number) => ({
  read: Nullable(Type.Unsafe<number>({ type: 'number', minimum, maximum, description: what })),
  show: Nullable(Type.Number()),
  initial: null,
});
const nullableId = (what: string) => ({
  read: Nullable(Type.Unsafe<string>({ ...Id, description: `the ID of ${what}` })),
  show: Nullable(Id),
  initial: null,
});
const time = { read: Nullable(Time), show: Nullable(Timestamp), initial: null };
const list = <S extends TSchema>(read: TSchema, show: S, maxItems: number, description: string) => ({
  read: Type.Unsafe<unknown>({ ...Type.Array(read), maxItems, description }),
  show: Type.Array(show),
  initial: [] as unknown[],
});

export const presets = [
  'survey_two',
  'survey_three',
  'survey_four',
  'survey_five',
  'survey_nps',
  'survey_csat',
  'survey_ces',
  'survey_input',
  'survey_dropdown',
  'response',
  'thank_you',
] as const;
export const stepTriggers = ['page_load', 'element_match', 'element_not_match'] as const;
export const secondaryTriggers = ['click', 'hover', 'time_on_page', 'smart_delay', 'input', 'custom_trigger'] as const;
export const positionTypes = ['relative_to_screen', 'snap_to_element', 'snap_to_trigger', 'inline'] as const;
export const screenPositions = [
  'center',
  'top',
  'bottom',
  'top_left',
  'top_right',
  'bottom_left',
  'bottom_right',
] as const;
export const tourActions = ['next', 'previous', 'exit'] as const;
export const additionalActions = [
  'cta_url',
  'element_click',
  'tour',
  'survey',
  'property',
  'tag_user',
  'code',
] as const;
export const itemKinds = ['url', 'tour', 'survey', 'script', 'divider'] as const;

/** How to find an element on a page. Every field that has a value must match. */
const elementFields = {
  selector: text('a CSS selector', 1000),
  text: text('a text that the element holds'),
  shadow_selector: text('a CSS selector within the shadow root of the first', 1000),
};
const ElementParameter = Type.Object(
  Object.fromEntries(
    Object.entries(elementFields).map(([name, { read }]) => [name, Type.Optional({ ...read, default: null })]),
  ),
  { description: 'an object with `selector`, `text` or both' },
);
export const PageElement = OutputObject(toOutputSchemas(elementFields));
export type PageElement = Static<typeof PageElement>;

const UrlParameter = Type.Object({
  url: Text('a pattern such as `/settings/*`', 2000),
  match_type: OneOf(matchTypes, { default: 'simple' }),
});
const QuantifierUrlOutput = OutputObject({ url: Type.String(), match_type: OneOf(matchTypes) });
const quantifier_urls = list(UrlParameter, QuantifierUrlOutput, 50, 'a list of URL patterns');

export const buttonFields = {
  text: text('the text of the button', 200),
  tour_action: nullableWord(tourActions),
  additional_actions: list(OneOf(additionalActions), OneOf(additionalActions), 7, 'a list of actions'),
  action_url: text('a URL', 2000),
  action_new_window: boolean(false),
  action_campaign_id: nullableId('a tour or survey'),
  action_element: { read: Nullable(ElementParameter), show: Nullable(PageElement), initial: null },
  action_property: text('the key of a property', 255),
  action_value: text('the value of the property'),
  action_tag: text('the tag that the user gets', 255),
  action_script: text('code', MAX_SCRIPT),
};

export const stepFields = {
  title: text('the title'),
  body: text('the body, in Markdown', MAX_BODY),
  dismiss_text: text('the text of what dismisses the step', 200),
  preset: nullableWord(presets),
  dropdown_items: list(Text('an answer', 200), Type.String(), 100, 'a list of answers'),
  label_low: text('what the lowest answer means', 200),
  label_high: text('what the highest answer means', 200),
  placeholder: text('what an empty field says', 200),
  other_text: text('the name of any other answer', 200),
  step_trigger: word(stepTriggers, 'page_load'),
  secondary_trigger: nullableWord(secondaryTriggers),
  trigger_delay: number('a number of seconds, up to 86400', 0, 86_400),
  custom_trigger: text('code that answers whether the step may show', MAX_SCRIPT),
  position_type: word(positionTypes, 'relative_to_screen'),
  screen_position: word(screenPositions, 'center'),
  placement: word(['auto', 'top', 'right', 'bottom', 'left'] as const, 'auto'),
  backdrop: boolean(false),
  elements: list(ElementParameter, PageElement, 10, 'a list of elements'),
  quantifier_urls,
  snooze_hours: number('a number of hours, up to 8760', 0, 8760),
};

export const itemFields = {
  kind: word(itemKinds, 'url'),
  title: text('the title'),
  description: text('the description', 2000),
  url: text('a URL', 2000),
  campaign_id: nullableId('a tour or survey'),
  segment_id: nullableId('a Segment'),
  hide: boolean(false),
  action_script: text('code', MAX_SCRIPT),
};

const idList = (what: string, maxItems: number) =>
  list(Type.Unsafe<string>({ ...Id, description: `the ID of ${what}` }), Id, maxItems, `a list of IDs`);

export const commonFields = {
  name: { read: Text('the name'), show: Type.String(), initial: '' },
  position: {
    read: Type.Unsafe<number>({
      type: 'integer',
      minimum: 0,
      maximum: 1_000_000,
      description: 'a whole number from 0: where it stands among the others',
    }),
    show: Type.Integer(),
    initial: 0,
  },
  segment_ids: idList('a Segment', 20),
  segments_op: word(groupOps, 'and'),
  excluded_segment_ids: idList('a Segment', 20),
  url_group_ids: idList('an Environment', 50),
  tag_ids: idList('a Tag', 50),
  published_at: time,
  published_until: time,
  archived_at: time,
  rate_unlimit_at: time,
  experiment_at: time,
  experiment_range: {
    read: Nullable(
      Type.Unsafe<string>({
        type: 'string',
        pattern: '^\\d{1,3}(\\.\\d{1,2})?-\\d{1,3}(\\.\\d{1,2})?$',
        description: 'a range of percents such as `0-50`',
      }),
    ),
    show: Nullable(Type.String()),
    initial: null,
  },
  goal: text('the name of an event', 255),
  repeat_days: number('a number of days, up to 3650', 0, 3650),
};

export const launcherFields = {
  title: text('the title'),
  description: text('the description', 2000),
  list_type: word(['default', 'checklist'] as const, 'default'),
  trigger_type: word(['icon', 'tab', 'element'] as const, 'icon'),
  trigger: text('the name of an icon, or the selector of an element', 1000),
  trigger_text: text('the text of the tab', 200),
  screen_position: word(screenPositions, 'bottom_right'),
  position_type: word(['relative_to_screen', 'snap_to_trigger'] as const, 'relative_to_screen'),
  empty_state_content: text('what an empty list says', 2000),
  quantifier_urls,
};

/** The fields that only some kinds have. */
const ownFields = {
  tour: { style: word(['auto', 'manual'] as const, 'auto') },
  survey: { style: word(['auto', 'manual'] as const, 'auto') },
  launcher: launcherFields,
  tooltip: {},
  embed: { style: word(['banner', 'card'] as const, 'banner') },
};

export function fieldsOfKind(kind: ExperienceKind): Record<string, FieldDefinition> {
  return { ...commonFields, ...ownFields[kind] };
}

type Fields = Record<string, FieldDefinition>;
type OutputSchemas<F extends Fields> = { [Name in keyof F]: F[Name]['show'] };

export function toParameterSchemas<F extends Fields>(fields: F): TProperties {
  return Object.fromEntries(Object.entries(fields).map(([name, { read }]) => [name, Type.Optional(read)]));
}

export function toOutputSchemas<F extends Fields>(fields: F): OutputSchemas<F> {
  return Object.fromEntries(Object.entries(fields).map(([name, { show }]) => [name, show])) as OutputSchemas<F>;
}

export function buildInitialValues(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, { initial }]) => [name, initial]));
}
