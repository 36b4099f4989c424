import { describe, expect, it } from 'vitest';
import { presets } from '../fields/field.ts';
import type { ExperienceKind } from '../kinds/kinds.ts';
import type { ExperienceFields } from './experience-parameters.ts';
import { writeDocument } from './experience-write.ts';
import { listShownTexts } from './shown-texts.ts';
import { listTranslatableSteps } from './translatable-texts.ts';

const id = 'e'.repeat(24);

/** Every text that is shown. In these documents, each text is the name of its field. */
function shownIn(kind: ExperienceKind, input: ExperienceFields): string[] {
  let made = 0;
  const document = writeDocument(kind, undefined, input, () => String(++made).padStart(24, '0'), []);
  return listShownTexts(id, document).map(({ text }) => text);
}

const step = {
  title: 'title',
  body: 'body',
  dismiss_text: 'dismiss_text',
  dropdown_items: ['first', 'second'],
  label_low: 'label_low',
  label_high: 'label_high',
  placeholder: 'placeholder',
  other_text: 'other_text',
  buttons: [{ text: 'button' }],
};
const usual = ['title', 'body', 'dismiss_text', 'button'];
const scale = ['title', 'body', 'dismiss_text', 'label_low', 'label_high'];
const input = ['title', 'body', 'dismiss_text', 'placeholder', 'button'];
const dropdown = [...['title', 'body', 'dismiss_text', 'first', 'second'], ...['placeholder', 'other_text', 'button']];

describe('the texts of a step that are shown', () => {
  it.each([
    ['tour', usual],
    ['embed', usual],
    ['tooltip', ['title', 'body', 'button']],
  ] as const)('leave out what a %s does not paint, whatever its preset', (kind, expected) => {
    expect(shownIn(kind, { steps: [step] })).toEqual(expected);
    expect(shownIn(kind, { steps: [{ ...step, preset: 'survey_dropdown' }] })).toEqual(expected);
  });

  it.each([
    [null, usual],
    ['survey_two', usual],
    ['survey_three', usual],
    ['survey_four', usual],
    ['survey_five', usual],
    ['survey_nps', scale],
    ['survey_csat', scale],
    ['survey_ces', scale],
    ['survey_input', input],
    ['response', input],
    ['survey_dropdown', dropdown],
    ['thank_you', ['title', 'body', 'button']],
  ] as const)('of a survey with the preset %s', (preset, expected) => {
    expect([null, ...presets]).toContain(preset);
    expect(shownIn('survey', { steps: [{ ...step, preset }] })).toEqual(expected);
  });

  it('leave out blank source texts', () => {
    expect(shownIn('tour', { steps: [{ title: ' \n', body: 'body', buttons: [{ text: '\t' }] }] })).toEqual(['body']);
  });
});

describe('the texts of a launcher that are shown', () => {
  const launcher = {
    title: 'title',
    description: 'description',
    trigger_type: 'tab',
    trigger_text: 'trigger_text',
    empty_state_content: 'empty',
  };
  const link = { title: 'item', description: 'about', url: '/docs' };
  const texts = (params: ExperienceFields) => shownIn('launcher', { ...launcher, items: [link], ...params });

  it('have the text of the tab where the launcher has a tab, or no title', () => {
    expect(texts({})).toEqual(['title', 'description', 'trigger_text', 'item', 'about']);
    expect(texts({ trigger_type: 'icon' })).not.toContain('trigger_text');
    expect(texts({ trigger_type: 'element' })).not.toContain('trigger_text');
    expect(texts({ trigger_type: 'icon', title: null })).toContain('trigger_text');
  });

  it('leave out hidden items and dividers', () => {
    const items = [
      { ...link, hide: true },
      { ...link, kind: 'divider' },
      { title: 'tour', kind: 'tour' },
    ];
    expect(texts({ items })).toEqual(['title', 'description', 'trigger_text', 'tour']);
  });

  it.each([
    [link, false],
    [{ kind: 'divider' }, false],
    [{ ...link, hide: true }, true],
    [{ ...link, segment_id: 'a'.repeat(24) }, true],
    [{ ...link, url: null }, true],
    [{ ...link, url: '{{docs}}' }, true],
    [{ ...link, kind: 'tour' }, true],
    [{ ...link, kind: 'survey' }, true],
    [{ ...link, kind: 'script' }, true],
  ])('have the text for an empty list if no user is sure to see %j', (item, expected) => {
    expect(texts({ items: [item] }).includes('empty')).toBe(expected);
  });
});

it('are a part of the texts of the file, in their order', () => {
  let made = 0;
  const document = writeDocument(
    'survey',
    undefined,
    { steps: [{ ...step, preset: 'survey_nps' }] },
    () => `${++made}`,
    [],
  );
  const all = listTranslatableSteps(id, document).flatMap(({ texts }) => texts);
  expect(all).toHaveLength(10);
  expect(listShownTexts(id, document)).toEqual(all.filter(({ text }) => scale.includes(text)));
});
