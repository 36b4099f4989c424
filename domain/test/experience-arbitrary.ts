import fc from 'fast-check';
import type { Content, Texts, Translations } from '../src/content/content.ts';
import type { Document } from '../src/content/experience.ts';
import {
  additionalActions,
  itemKinds,
  positionTypes,
  presets,
  screenPositions,
  tourActions,
} from '../src/content/experience-fields.ts';
import type { ExperienceKind } from '../src/content/experience-kind.ts';
import { emptyDocument } from '../src/index.ts';
import { matchTypes } from '../src/patterns/url-match.ts';

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

const buttonFields = {
  text: text(),
  tour_action: orNull(fc.constantFrom(...tourActions)),
  additional_actions: fc.uniqueArray(fc.constantFrom(...additionalActions), { maxLength: 3 }),
  action_url: text(),
  action_new_window: fc.boolean(),
  action_campaign_id: orNull(id),
  action_element: orNull(element),
  action_property: text(),
  action_value: text(),
  action_tag: text(),
  action_script: text(),
};

const stepFields = {
  title: text(),
  body: text(),
  dismiss_text: text(),
  preset: orNull(fc.constantFrom(...presets)),
  // More than ten items test that the eleventh comes after the tenth.
  dropdown_items: fc.oneof(few(words), fc.array(words, { minLength: 11, maxLength: 12 })),
  label_low: text(),
  label_high: text(),
  placeholder: text(),
  other_text: text(),
  step_trigger: fc.constantFrom('page_load', 'element_match'),
  secondary_trigger: orNull(fc.constantFrom('click', 'hover')),
  trigger_delay: orNull(fc.nat(100)),
  custom_trigger: text(),
  position_type: fc.constantFrom(...positionTypes),
  screen_position: fc.constantFrom(...screenPositions),
  placement: fc.constantFrom('auto', 'left'),
  backdrop: fc.boolean(),
  elements: few(element),
  quantifier_urls: few(url),
  snooze_hours: orNull(fc.nat(100)),
};

const itemFields = {
  kind: fc.constantFrom(...itemKinds),
  title: text(),
  description: text(),
  url: text(),
  campaign_id: orNull(id),
  segment_id: orNull(id),
  hide: fc.boolean(),
  action_script: text(),
};

const commonFields = {
  name: words,
  position: fc.nat(5),
  segment_ids: fc.uniqueArray(id),
  url_group_ids: fc.uniqueArray(id),
  tag_ids: fc.uniqueArray(id),
  published_at: time,
  published_until: time,
  archived_at: time,
  rate_unlimit_at: time,
  experiment_at: time,
  experiment_range: orNull(fc.constantFrom('0-50', '50-100')),
  goal: text(),
  repeat_days: orNull(fc.nat(30)),
};

const launcherFields = {
  title: text(),
  description: text(),
  list_type: fc.constantFrom('default', 'checklist'),
  trigger_type: fc.constantFrom('icon', 'tab', 'element'),
  trigger: text(),
  trigger_text: text(),
  screen_position: fc.constantFrom(...screenPositions),
  position_type: fc.constantFrom('relative_to_screen', 'snap_to_trigger'),
  empty_state_content: text(),
  quantifier_urls: few(url),
};

type Part = Record<string, unknown> & { id: string };
const placed = (parts: Part[]) => parts.map(({ id, ...part }, position) => ({ id, position, ...part }));

/** Parts in any order, without duplicates. */
function parts(type: string, fields: Record<string, fc.Arbitrary<unknown>>, most: number): fc.Arbitrary<Part[]> {
  const part = fc.record({ id: fc.nat(5).map((number) => idOf(type, number)), ...fields });
  return fc.uniqueArray(part as fc.Arbitrary<Part>, { selector: (one) => one.id, maxLength: most });
}

/** The ID of a Button is in only one Step of a document, but not in the same Step of every document. */
function steps(most: number): fc.Arbitrary<unknown[]> {
  return fc.tuple(parts('5', stepFields, most), parts('b', { ...buttonFields, at: fc.nat(9) }, 6)).map(([all, some]) =>
    placed(all).map((step, index) => {
      const mine = some.filter(({ at }) => (at as number) % all.length === index);
      return { ...step, buttons: placed(mine.map(({ at: _, ...button }) => button as Part)) };
    }),
  );
}

/** A stored document of a kind. */
export function document(kind: ExperienceKind): fc.Arbitrary<Document> {
  const style = kind === 'embed' ? ['banner', 'card'] : ['auto', 'manual'];
  const own = kind === 'launcher' ? launcherFields : kind === 'tooltip' ? {} : { style: fc.constantFrom(...style) };
  const lists = {
    steps: kind === 'launcher' ? fc.constant([]) : steps(kind === 'tooltip' ? 1 : 5),
    ...(kind === 'launcher' && { items: parts('7', itemFields, 5).map(placed) }),
  };
  return fc
    .record({ ...commonFields, ...own, ...lists } as Record<string, fc.Arbitrary<unknown>>)
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
