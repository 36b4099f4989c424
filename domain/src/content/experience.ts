import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { Id, Nullable, OneOf, OutputObject, standardFields, Text, Time, Timestamp } from '../basics/schema.ts';
import { matchTypes } from '../patterns/url-match.ts';
import { groupOps } from '../targeting/filter.ts';

/*
 * An Experience is one document: its own fields, its steps with their buttons, and of a launcher its items. Each part is
 * described here once, field by field: how the field is read, how it is shown, and what it is at the start.
 */

export const experienceKinds = ['tour', 'survey', 'launcher', 'tooltip', 'embed'] as const;
export type ExperienceKind = (typeof experienceKinds)[number];
/** As they stand in addresses. */
export const kindPaths = ['tours', 'surveys', 'launchers', 'tooltips', 'embeds'] as const;
export type KindPath = (typeof kindPaths)[number];

export function kindOfPath(path: string): ExperienceKind | undefined {
  return experienceKinds[kindPaths.indexOf(path as KindPath)];
}

export function pathOfKind(kind: ExperienceKind): KindPath {
  return `${kind}s`;
}

interface Field<S extends TSchema = TSchema> {
  /** The schema of the parameter. */
  read: TSchema;
  /** The schema of the answer. */
  show: S;
  start: unknown;
}

/** All other texts are plain. */
export const markdownFields: ReadonlySet<string> = new Set(['body', 'description', 'empty_state_content']);

const MAX_TEXT = 500;
const MAX_BODY = 20_000;
const MAX_SCRIPT = 10_000;
export const MAX_PARTS = { steps: 100, buttons: 10, items: 100 } as const;

const text = (what: string, most = MAX_TEXT) => ({
  read: Nullable(Text(what, most)),
  show: Nullable(Type.String()),
  start: null,
});
const word = <const Words extends readonly string[]>(words: Words, start: Words[number]) => ({
  read: OneOf(words),
  show: OneOf(words),
  start,
});
const wordOrNone = <const Words extends readonly string[]>(words: Words) => ({
  read: Nullable(OneOf(words)),
  show: Nullable(OneOf(words)),
  start: null,
});
const yesNo = (start: boolean) => ({ read: Type.Boolean(), show: Type.Boolean(), start });
const number = (what: string, minimum: number, maximum: number) => ({
  read: Nullable(Type.Unsafe<number>({ type: 'number', minimum, maximum, description: what })),
  show: Nullable(Type.Number()),
  start: null,
});
const idOrNone = (what: string) => ({
  read: Nullable(Type.Unsafe<string>({ ...Id, description: `the ID of ${what}` })),
  show: Nullable(Id),
  start: null,
});
const time = { read: Nullable(Time), show: Nullable(Timestamp), start: null };
const list = <S extends TSchema>(read: TSchema, show: S, maxItems: number, description: string) => ({
  read: Type.Unsafe<unknown>({ ...Type.Array(read), maxItems, description }),
  show: Type.Array(show),
  start: [] as unknown[],
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

/** Where in a page something is: every part that is given must fit. */
const elementFields = {
  selector: text('a CSS selector', 1000),
  text: text('a text that the element holds'),
  shadow_selector: text('a CSS selector within the shadow root of the first', 1000),
};
const ElementRead = Type.Object(
  Object.fromEntries(
    Object.entries(elementFields).map(([name, { read }]) => [name, Type.Optional({ ...read, default: null })]),
  ),
  { description: 'an object with `selector`, `text` or both' },
);
export const PageElement = OutputObject(showOf(elementFields));
export type PageElement = Static<typeof PageElement>;

const UrlRead = Type.Object({
  url: Text('a pattern such as `/settings/*`', 2000),
  match_type: OneOf(matchTypes, { default: 'simple' }),
});
const QuantifierUrlShown = OutputObject({ url: Type.String(), match_type: OneOf(matchTypes) });
const quantifier_urls = list(UrlRead, QuantifierUrlShown, 50, 'a list of URL patterns');

export const buttonFields = {
  text: text('the text of the button', 200),
  tour_action: wordOrNone(tourActions),
  additional_actions: list(OneOf(additionalActions), OneOf(additionalActions), 7, 'a list of actions'),
  action_url: text('a URL', 2000),
  action_new_window: yesNo(false),
  action_campaign_id: idOrNone('a tour or survey'),
  action_element: { read: Nullable(ElementRead), show: Nullable(PageElement), start: null },
  action_property: text('the key of a property', 255),
  action_value: text('the value of the property'),
  action_tag: text('the tag that the user gets', 255),
  action_script: text('code', MAX_SCRIPT),
};

export const stepFields = {
  title: text('the title'),
  body: text('the body, in Markdown', MAX_BODY),
  dismiss_text: text('the text of what dismisses the step', 200),
  preset: wordOrNone(presets),
  dropdown_items: list(Text('an answer', 200), Type.String(), 100, 'a list of answers'),
  label_low: text('what the lowest answer means', 200),
  label_high: text('what the highest answer means', 200),
  placeholder: text('what an empty field says', 200),
  other_text: text('the name of any other answer', 200),
  step_trigger: word(stepTriggers, 'page_load'),
  secondary_trigger: wordOrNone(secondaryTriggers),
  trigger_delay: number('a number of seconds, up to 86400', 0, 86_400),
  custom_trigger: text('code that answers whether the step may show', MAX_SCRIPT),
  position_type: word(positionTypes, 'relative_to_screen'),
  screen_position: word(screenPositions, 'center'),
  placement: word(['auto', 'top', 'right', 'bottom', 'left'] as const, 'auto'),
  backdrop: yesNo(false),
  elements: list(ElementRead, PageElement, 10, 'a list of elements'),
  quantifier_urls,
  snooze_hours: number('a number of hours, up to 8760', 0, 8760),
};

export const itemFields = {
  kind: word(itemKinds, 'url'),
  title: text('the title'),
  description: text('the description', 2000),
  url: text('a URL', 2000),
  campaign_id: idOrNone('a tour or survey'),
  segment_id: idOrNone('a Segment'),
  hide: yesNo(false),
  action_script: text('code', MAX_SCRIPT),
};

const idList = (what: string, most: number) =>
  list(Type.Unsafe<string>({ ...Id, description: `the ID of ${what}` }), Id, most, `a list of IDs`);

const commonFields = {
  name: { read: Text('the name'), show: Type.String(), start: '' },
  position: {
    read: Type.Unsafe<number>({
      type: 'integer',
      minimum: 0,
      maximum: 1_000_000,
      description: 'a whole number from 0: where it stands among the others',
    }),
    show: Type.Integer(),
    start: 0,
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
    start: null,
  },
  goal: text('the name of an event', 255),
  repeat_days: number('a number of days, up to 3650', 0, 3650),
};

const launcherFields = {
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

/** What each kind has of its own. */
const ownFields = {
  tour: { style: word(['auto', 'manual'] as const, 'auto') },
  survey: { style: word(['auto', 'manual'] as const, 'auto') },
  launcher: launcherFields,
  tooltip: {},
  embed: { style: word(['banner', 'card'] as const, 'banner') },
};

export function fieldsOfKind(kind: ExperienceKind): Record<string, Field> {
  return { ...commonFields, ...ownFields[kind] };
}

type Fields = Record<string, Field>;
type Shown<F extends Fields> = { [Name in keyof F]: F[Name]['show'] };

function readOf<F extends Fields>(fields: F): TProperties {
  return Object.fromEntries(Object.entries(fields).map(([name, { read }]) => [name, Type.Optional(read)]));
}

function showOf<F extends Fields>(fields: F): Shown<F> {
  return Object.fromEntries(Object.entries(fields).map(([name, { show }]) => [name, show])) as Shown<F>;
}

export function buildInitialValues(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, { start }]) => [name, start]));
}

/* As it is shown, and as it is stored: times are timestamps in both. */

const partFields = { id: Id, position: Type.Integer() };
export const Button = OutputObject({ ...partFields, ...showOf(buttonFields) });
export type Button = Static<typeof Button>;
export const Step = OutputObject({ ...partFields, ...showOf(stepFields), buttons: Type.Array(Button) });
export type Step = Static<typeof Step>;
export const ListItem = OutputObject({ ...partFields, ...showOf(itemFields) });
export type ListItem = Static<typeof ListItem>;

type Common = Static<ReturnType<typeof commonShown>>;
function commonShown() {
  return OutputObject(showOf(commonFields));
}

/** What an administrator writes: what is stored as one. A tooltip has no style; only a launcher has items. */
export type Document = Common & {
  kind: ExperienceKind;
  style?: 'auto' | 'manual' | 'banner' | 'card';
  steps: Step[];
  items?: ListItem[];
} & Partial<Static<ReturnType<typeof launcherShown>>>;
function launcherShown() {
  return OutputObject(showOf(launcherFields));
}

/** The document of a new Experience. */
export function emptyDocument(kind: ExperienceKind): Document {
  const parts = { steps: [], ...(kind === 'launcher' && { items: [] }) };
  return { kind, ...buildInitialValues(fieldsOfKind(kind)), ...parts } as unknown as Document;
}

export const experienceStates = ['draft', 'scheduled', 'live', 'ended', 'archived'] as const;
export type ExperienceState = (typeof experienceStates)[number];

const count = Type.Integer();
const Stats = OutputObject({
  started_count: count,
  completed_count: count,
  exited_count: count,
  displayed_count: count,
  last_started_at: Nullable(Timestamp),
  last_completed_at: Nullable(Timestamp),
  last_exited_at: Nullable(Timestamp),
  last_displayed_at: Nullable(Timestamp),
});
export type ExperienceStats = Static<typeof Stats>;

const optional = (schemas: TProperties) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, Type.Optional(schema)]));

/** An Experience of any kind. What only some kinds have is left out of the others. */
export const Experience = OutputObject({
  ...standardFields,
  kind: OneOf(experienceKinds),
  state: OneOf(experienceStates),
  ...showOf(commonFields),
  style: Type.Optional(OneOf(['auto', 'manual', 'banner', 'card'])),
  ...optional(showOf(launcherFields)),
  url_groups: Type.Array(OutputObject({ id: Id, name: Type.String() })),
  dashboard_url: Type.String(),
  stats: Stats,
  steps: Type.Array(Step),
  items: Type.Optional(Type.Array(ListItem)),
});
export type Experience = Omit<Document, 'kind'> &
  Pick<
    Static<typeof Experience>,
    'id' | 'created_at' | 'updated_at' | 'kind' | 'state' | 'url_groups' | 'dashboard_url'
  > & {
    stats: ExperienceStats;
  };

/* As it is written. Everything is optional: what is left out stays, or begins as the fields say. */

const partId = Type.Optional(
  Type.Unsafe<string>({ ...Id, description: 'the ID of a part that is there, or none for a new one' }),
);
const place = Type.Optional(
  Type.Unsafe<number>({ type: 'integer', minimum: 0, description: 'a whole number from 0: the place in the list' }),
);
const parts = (fields: TProperties, maxItems: number, description: string) =>
  Type.Optional(
    Type.Unsafe<PartFields[]>({ ...Type.Array(Type.Object({ id: partId, ...fields })), maxItems, description }),
  );

const buttons = parts(readOf(buttonFields), MAX_PARTS.buttons, 'a list of buttons');
export const ButtonParameters = Type.Object({ ...readOf(buttonFields), position: place });
export const StepParameters = Type.Object({ ...readOf(stepFields), buttons, position: place });
export const ItemParameters = Type.Object({ ...readOf(itemFields), position: place });

/** A part as it is given: only some of its fields. */
export type PartFields = { id?: string; position?: number; buttons?: PartFields[] } & Record<string, unknown>;

const change = (what: string) =>
  Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      pattern: '^[+-][0-9a-f]{24}$',
      description: `\`+\` or \`-\` and the ID of ${what}, to add or to remove it`,
    }),
  );

const listOfOne = (list: string) =>
  Type.Optional(
    Nullable(Type.Unsafe<string>({ ...Id, description: `the ID of a Segment: the same as \`${list}\` with this one` })),
  );
/** Parameters that stand for a list of one. */
export const singularParameters = { segment_id: 'segment_ids', excluded_segment_id: 'excluded_segment_ids' } as const;

/** For every kind: a kind takes what it has, and lets the rest be. */
export const ExperienceParameters = Type.Object({
  ...readOf(commonFields),
  segment_id: listOfOne(singularParameters.segment_id),
  excluded_segment_id: listOfOne(singularParameters.excluded_segment_id),
  style: Type.Optional(OneOf(['auto', 'manual', 'banner', 'card'])),
  ...readOf(launcherFields),
  steps: parts({ ...readOf(stepFields), buttons }, MAX_PARTS.steps, 'a list of steps'),
  items: parts(readOf(itemFields), MAX_PARTS.items, 'a list of items'),
});
const ignored = new Map(
  experienceKinds.map((kind) => {
    const taken = { ...fieldsOfKind(kind), ...singularParameters, [kind === 'launcher' ? 'items' : 'steps']: true };
    return [kind, Object.keys(ExperienceParameters.properties).filter((name) => !Object.hasOwn(taken, name))];
  }),
);
/** The parameters that only other kinds take. */
export function listOtherKindParameters(kind: ExperienceKind): readonly string[] {
  return ignored.get(kind) ?? [];
}

export const CreateExperience = Type.Object({ ...ExperienceParameters.properties, name: Text('the name') });
export type ExperienceFields = { steps?: PartFields[]; items?: PartFields[] } & Record<string, unknown>;

export const UpdateExperience = Type.Object({
  ...ExperienceParameters.properties,
  url_group_id: change('an Environment'),
  tag_id: change('a Tag'),
  updated_at: Type.Optional(Type.Unsafe<number>({ ...Time, description: 'the `updated_at` that you have seen' })),
  autosave: Type.Optional(Type.Boolean()),
});
