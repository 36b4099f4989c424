import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns } from '../../test/random-runs.ts';
import type { ExperienceKind } from '../kinds/kinds.ts';
import { parseMarkdown } from '../rich-text/markdown.ts';
import { type Lookup, later, plainText, resolve } from '../rich-text/merge.ts';
import { parseText } from '../rich-text/merge-tag.ts';
import type { Content, Translations } from './content.ts';
import type { Document } from './experience.ts';
import { writeDocument } from './experience-write.ts';
import { contentByLanguage, type PageSettings, toPageContent } from './page-content.ts';
import type { PageUser } from './page-json.ts';

const id = (n: number) => n.toString(16).padStart(24, '0');
const self = id(1);
/** The IDs of parts, in the order in which they are created: a step, its buttons, the next step. */
const [one, two, three] = [101, 102, 103].map(id) as [string, string, string];

function documentOf(kind: ExperienceKind, input: object): Document {
  let count = 101;
  const problems: string[] = [];
  const document = writeDocument(kind, undefined, { name: 'Secret name', ...input }, () => id(count++), problems);
  expect(problems).toEqual([]);
  return document;
}

const newUser: PageUser = {
  profile: { facts: {}, custom: {} },
  now: Date.parse('2029-06-01T00:00:00.000Z'),
  language: 'en',
  inSegment: () => false,
  isLive: () => false,
  isCompleted: () => false,
};
const ann: PageUser = {
  ...newUser,
  profile: {
    facts: { uid: '18821', email: 'Ann@Example.com', last_seen_at: 0, browser_l: null },
    custom: { first_name: 'Ann', plan: 'gold', address: { city: 'Bern' }, signed_up_at: '2029-04-07T12:18:00.000Z' },
  },
  company: { facts: { uid: '931' }, custom: { name: 'Acme & Co', site: 'acme' } },
};

const nothing: PageSettings = { allowScripts: false, allowGlobals: false };
interface Options extends Partial<PageSettings> {
  user?: PageUser;
}
function contentOf(kind: ExperienceKind, input: object, { user = newUser, ...allowed }: Options = {}) {
  return JSON.parse(toPageContent(self, documentOf(kind, input), { ...nothing, ...allowed }).jsonFor(user));
}
const stepOf = (step: object, options?: Options, kind: ExperienceKind = 'tour') =>
  contentOf(kind, { steps: [step] }, options).steps[0];
const buttonOf = (button: object, options?: Options) =>
  stepOf({ title: 'Hi', buttons: [{ text: 'Go', ...button }] }, options).buttons[0];

describe('page content', () => {
  it('has the steps and their buttons in order, with their IDs', () => {
    const steps = [{ title: 'Hello', buttons: [{ text: 'Next', tour_action: 'next' }] }, { title: 'Bye' }];
    expect(contentOf('tour', { steps })).toEqual({
      id: self,
      kind: 'tour',
      steps: [
        { id: one, title: ['Hello'], buttons: [{ id: two, text: ['Next'], tour_action: 'next' }] },
        { id: three, title: ['Bye'] },
      ],
    });
  });

  it('has no targeting, schedule or name', () => {
    const input = {
      steps: [{ title: 'Hello' }],
      position: 7,
      segment_ids: [id(11)],
      url_group_ids: [id(12)],
      tag_ids: [id(13)],
      published_at: 1000,
      published_until: 9000,
      rate_unlimit_at: 1000,
      experiment_at: 1000,
      experiment_range: '0-50',
      goal: 'report_exported',
      repeat_days: 3,
    };
    expect(contentOf('tour', input)).toEqual({
      id: self,
      kind: 'tour',
      steps: [{ id: one, title: ['Hello'] }],
    });
  });

  it('has the fields that differ from their initial values: style, triggers, places and pages', () => {
    const input = {
      step_trigger: 'element_match',
      secondary_trigger: 'time_on_page',
      trigger_delay: 0,
      position_type: 'snap_to_element',
      screen_position: 'top',
      placement: 'left',
      backdrop: true,
      snooze_hours: 12,
    };
    const lists = {
      elements: [{ selector: '#save', text: null, shadow_selector: null }],
      quantifier_urls: [
        { url: '/a/*', match_type: 'simple' },
        { url: '^https:', match_type: 'regex' },
      ],
    };
    expect(contentOf('survey', { style: 'manual', steps: [{ ...input, ...lists, preset: 'survey_nps' }] })).toEqual({
      id: self,
      kind: 'survey',
      style: 'manual',
      steps: [
        {
          id: one,
          ...input,
          preset: 'survey_nps',
          elements: [{ selector: '#save' }],
          quantifier_urls: [{ url: '/a/*' }, { url: '^https:', match_type: 'regex' }],
        },
      ],
    });
  });

  it('has Markdown as a tree, and every other text as a list', () => {
    const step = {
      title: '*Hi*',
      body: 'This is **it**.',
      dismiss_text: 'No *thanks*',
      label_low: 'low',
      label_high: 'high',
      placeholder: 'type',
      other_text: 'other',
      dropdown_items: ['A', 'B'],
    };
    expect(stepOf(step)).toEqual({
      id: one,
      title: ['*Hi*'],
      body: [['p', 'This is ', ['strong', 'it'], '.']],
      dismiss_text: ['No *thanks*'],
      label_low: ['low'],
      label_high: ['high'],
      placeholder: ['type'],
      other_text: ['other'],
      dropdown_items: [['A'], ['B']],
    });
  });

  it('has the actions of a button', () => {
    const input = {
      additional_actions: ['cta_url', 'element_click', 'tour', 'property', 'tag_user'],
      action_url: 'https://example.com/a?b=c',
      action_new_window: true,
      action_campaign_id: id(7),
    };
    const ofServer = { action_property: 'plan', action_value: '{{not_a_text}}', action_tag: 'keen' };
    const element = { selector: '#save', text: 'Save', shadow_selector: null };
    expect(buttonOf({ ...input, ...ofServer, action_element: element })).toEqual({
      id: two,
      text: ['Go'],
      ...input,
      action_element: { selector: '#save', text: 'Save' },
    });
  });

  it('is the same for every user unless a text has a merge tag', () => {
    const isCommon = (body: string) => toPageContent(self, documentOf('tour', { steps: [{ body }] }), nothing).isCommon;
    expect(isCommon('Hi')).toBe(true);
    expect(isCommon('{{delivery "manager"}}')).toBe(true);
    expect(isCommon('Hi {{first_name}}')).toBe(false);
    expect(isCommon('{{#if plan}}Hi{{/if}}')).toBe(false);
    expect(isCommon('[Go](/of/{{uid}})')).toBe(false);
  });
});

describe('merge tags', () => {
  const pieces = fc.constantFrom(
    ...['Hi', ' ', '\n\n', '"', '\\', 'é…', '😀', '<b>', '**', '*', '- ', '# ', '`', '\n'],
    ...[
      '{{first_name}}',
      '{{nick}}',
      '{{nick | fallback: "you"}}',
      '{{quote}}',
      '{{company.name}}',
      '{{address.city}}',
    ],
    ...[
      '{{delivery "a"}}',
      '[x](/y)',
      '[x](/{{quote}})',
      '{{#if plan}}yes{{/if}}',
      '{{#if nick}}yes{{else}}{{nick}}{{/if}}',
    ],
  );
  const quoting: PageUser = {
    ...ann,
    profile: { ...ann.profile, custom: { ...ann.profile.custom, quote: '"\\\u2028é' } },
  };
  const known: Record<string, unknown> = {
    ...quoting.profile.custom,
    'company.name': 'Acme & Co',
    'address.city': 'Bern',
  };
  const lookup: Lookup = (of, path) => (of === 'option' ? later : known[path]);

  it('writes the same JSON as resolving the text, whatever is around the tags', () => {
    fc.assert(
      fc.property(fc.array(pieces, { minLength: 1, maxLength: 12 }), (parts) => {
        const body = parts.join('');
        const [title, read] = [parseText(body), parseMarkdown(body)];
        if ('problem' in read || 'problem' in title || body.trim() === '') return;
        const step = stepOf({ title: body, body, buttons: [{ text: 'Go' }] }, { user: quoting });
        const orNone = (text: unknown[]) => (text.length === 0 ? undefined : text);
        expect(step.body).toEqual(orNone(resolve(read, lookup)));
        expect(step.title).toEqual(orNone(resolve(title, lookup)));
        const translations = { de: { [one]: { label_low: 'x' } } };
        const document = documentOf('tour', { steps: [{ title: body, body, label_low: 'y' }] });
        const german = JSON.parse(contentByLanguage(self, { document, translations }, nothing)('de').jsonFor(quoting));
        const marked = resolve([['div', { lang: '' }, ...read]], lookup);
        expect(german.steps[0].body).toEqual(orNone(marked));
      }),
      { numRuns: randomRuns(400) },
    );
  });

  it.each<[text: string, tree: unknown]>([
    ['Hi {{first_name}}', ['Hi Ann']],
    ['Hi {{nick | fallback: "there"}}', ['Hi there']],
    ['{{nick}}', undefined],
    ['{{address.city}}', ['Bern']],
    ['{{company.name}}', ['Acme & Co']],
    ['{{company.nothing | fallback: "none"}}', ['none']],
    ['{{uid}} of {{company.uid}}', ['18821 of 931']],
    ['{{email}}', ['Ann@Example.com']],
    ['{{last_seen_at}}', ['1970-01-01T00:00:00.000Z']],
    ['{{browser_l | fallback: "any"}}', ['any']],
    ['{{#if plan == "gold"}}Thanks{{else}}Buy{{/if}}', ['Thanks']],
    ['{{constructor | fallback: "safe"}}', ['safe']],
  ])('%s', (title, tree) => {
    expect(stepOf({ title, body: 'x' }, { user: ann }).title).toEqual(tree);
  });

  it('keeps tags of the Delivery, because only the page has its options', () => {
    const title = '{{first_name}}, meet {{delivery "manager.name" | fallback: "us"}}';
    expect(stepOf({ title }, { user: ann }).title).toEqual(['Ann, meet ', { option: 'manager.name', or: 'us' }]);
    expect(stepOf({ title: '{{#if delivery "vip"}}{{first_name}}{{/if}}' }, { user: ann }).title).toEqual([
      { if: { option: 'vip' }, show: ['Ann'] },
    ]);
  });

  it('fills in merge tags in every text', () => {
    const tag = '{{first_name}}';
    const step = {
      body: `**${tag}**`,
      ...Object.fromEntries(
        ['dismiss_text', 'label_low', 'label_high', 'placeholder', 'other_text'].map((name) => [name, tag]),
      ),
      dropdown_items: [tag],
      buttons: [{ text: tag }],
    };
    const filled = stepOf(step, { user: ann });
    expect(filled).toMatchObject({ body: [['p', ['strong', 'Ann']]], dropdown_items: [['Ann']] });
    expect(filled.buttons).toEqual([{ id: two, text: ['Ann'] }]);
    for (const name of ['dismiss_text', 'label_low', 'label_high', 'placeholder', 'other_text'])
      expect(filled[name]).toEqual(['Ann']);
  });

  it('encodes values in an address, and leaves out an invalid address', () => {
    const opens = (action_url: string) => buttonOf({ action_url }, { user: ann }).action_url;
    expect(opens('https://example.com/?of={{company.name}}')).toBe('https://example.com/?of=Acme%20%26%20Co');
    expect(opens('/of/{{delivery "x"}}')).toEqual(['/of/', { option: 'x' }]);
    const user = { ...ann, profile: { ...ann.profile, custom: { site: 'javascript:alert(1)' } } };
    expect(buttonOf({ action_url: '{{site}}' }, { user })).toEqual({ id: two, text: ['Go'] });
  });

  it('uses fallbacks for a user without a Company', () => {
    const user = { ...ann, company: undefined };
    expect(stepOf({ title: '{{company.name | fallback: "you"}}' }, { user }).title).toEqual(['you']);
  });
});

describe('content by language', () => {
  const translations: Translations = {
    pt: { [one]: { title: 'Olá', body: 'Corpo' }, [two]: { text: 'Avançar' } },
    'pt-BR': { [one]: { title: 'Oi' } },
    de: { [one]: { title: 'Hallo {{first_name}}' } },
  };
  const document = documentOf('tour', { steps: [{ title: 'Hello', body: 'Body', buttons: [{ text: 'Next' }] }] });
  const content: Content = { document, translations };
  const inLanguage = contentByLanguage(self, content, nothing);
  const textsIn = (language: string | null) => {
    const [step] = JSON.parse(inLanguage(language).jsonFor(ann)).steps;
    return [step.title, step.body, step.buttons[0].text].map(plainText);
  };

  it.each<[language: string | null, texts: string[]]>([
    ['pt-BR', ['Oi', 'Corpo', 'Avançar']],
    ['pt-PT', ['Olá', 'Corpo', 'Avançar']],
    ['pt', ['Olá', 'Corpo', 'Avançar']],
    ['de-CH', ['Hallo Ann', 'Body', 'Next']],
    ['fr', ['Hello', 'Body', 'Next']],
    ['not a language', ['Hello', 'Body', 'Next']],
    [null, ['Hello', 'Body', 'Next']],
  ])('has for %s each text in the best available language', (language, texts) => {
    expect(textsIn(language)).toEqual(texts);
  });

  it('names the language of the texts, and marks a text in another one', () => {
    const contentIn = (language: string | null) => JSON.parse(inLanguage(language).jsonFor(ann));
    expect(contentIn('pt')).toMatchObject({ language: 'pt', direction: 'ltr', steps: [{ title: ['Olá'] }] });
    const [step] = contentIn('pt-BR').steps;
    expect(step).toMatchObject({ title: ['Oi'], body: [['div', { lang: 'pt' }, ['p', 'Corpo']]] });
    expect(step.buttons[0].text).toEqual([['span', { lang: 'pt' }, 'Avançar']]);
    // The language of the source texts is unknown.
    expect(contentIn('de').steps[0].body).toEqual([['div', { lang: '' }, ['p', 'Body']]]);
    expect(contentIn('fr')).not.toHaveProperty('language');
    expect(contentIn('fr').steps[0].body).toEqual([['p', 'Body']]);
  });

  it('marks list answers and the texts of launchers, and fills in their merge tags', () => {
    const survey = documentOf('survey', {
      steps: [
        { preset: 'survey_dropdown', title: '{{first_name}}?', dropdown_items: ['A', 'B'], label_low: '{{nick}}' },
      ],
    });
    const inArabic = { ar: { [one]: { 'dropdown_items.1': 'ب' } } };
    const content = contentByLanguage(self, { document: survey, translations: inArabic }, nothing);
    expect(JSON.parse(content('ar-EG').jsonFor(ann))).toMatchObject({
      ...{ language: 'ar', direction: 'rtl' },
      steps: [{ title: [['span', { lang: '' }, 'Ann?']], dropdown_items: [[['span', { lang: '' }, 'A']], ['ب']] }],
    });
    expect(JSON.parse(content('ar').jsonFor(ann)).steps[0]).not.toHaveProperty('label_low');

    const launcher = documentOf('launcher', {
      title: 'Help',
      description: 'All',
      items: [{ title: 'Docs', url: '/' }],
    });
    const inGerman = { de: { [self]: { title: 'Hilfe' } } };
    const [german] = [contentByLanguage(self, { document: launcher, translations: inGerman }, nothing)('de')];
    expect(JSON.parse(german.jsonFor(ann))).toMatchObject({
      ...{ title: ['Hilfe'], description: [['div', { lang: '' }, ['p', 'All']]] },
      items: [{ title: [['span', { lang: '' }, 'Docs']], url: '/' }],
    });
  });

  it('builds the content once for each existing language', () => {
    expect(inLanguage('pt-PT')).toBe(inLanguage('pt'));
    expect(inLanguage('fr')).toBe(inLanguage(null));
    expect(inLanguage('pt-BR')).not.toBe(inLanguage('pt'));
  });
});

describe('scripts', () => {
  const tour = {
    title: 'Hi',
    secondary_trigger: 'custom_trigger',
    custom_trigger: 'return true',
    buttons: [{ text: 'Go', additional_actions: ['code', 'cta_url'], action_url: '/a', action_script: 'go()' }],
  };
  const launcher = {
    items: [
      { kind: 'script', title: 'Run', action_script: 'go()' },
      { title: 'Docs', url: '/docs' },
    ],
  };

  it('includes scripts when the account allows them', () => {
    const step = stepOf(tour, { allowScripts: true });
    expect(step.custom_trigger).toBe('return true');
    expect(step.buttons[0]).toMatchObject({ additional_actions: ['code', 'cta_url'], action_script: 'go()' });
    expect(contentOf('launcher', launcher, { allowScripts: true }).items).toHaveLength(2);
  });

  it('leaves out scripts and their triggers when the account does not allow them', () => {
    const step = stepOf(tour);
    expect(step).not.toHaveProperty('custom_trigger');
    expect(step.secondary_trigger).toBe('custom_trigger');
    expect(step.buttons).toEqual([{ id: two, text: ['Go'], additional_actions: ['cta_url'], action_url: '/a' }]);
    expect(contentOf('launcher', launcher).items).toEqual([{ id: two, title: ['Docs'], url: '/docs' }]);
  });
});

describe('launcher content', () => {
  const [tour, survey, segment] = [id(21), id(22), id(23)];

  it('has its trigger and its items', () => {
    const input = {
      title: 'Help for {{first_name}}',
      description: '*All* of it',
      list_type: 'checklist',
      trigger_type: 'tab',
      trigger: 'star',
      trigger_text: 'Help',
      screen_position: 'top',
      position_type: 'snap_to_trigger',
      empty_state_content: 'Nothing',
      quantifier_urls: [{ url: '/a', match_type: 'exact' }],
      items: [{ title: 'Docs', description: '**Here**', url: '/docs?of={{uid}}' }, { kind: 'divider' }],
    };
    expect(contentOf('launcher', input, { user: ann })).toEqual({
      id: self,
      kind: 'launcher',
      title: ['Help for Ann'],
      description: [['p', ['em', 'All'], ' of it']],
      list_type: 'checklist',
      trigger_type: 'tab',
      trigger: 'star',
      trigger_text: ['Help'],
      screen_position: 'top',
      position_type: 'snap_to_trigger',
      empty_state_content: [['p', 'Nothing']],
      quantifier_urls: [{ url: '/a', match_type: 'exact' }],
      items: [
        { id: one, title: ['Docs'], description: [['p', ['strong', 'Here']]], url: '/docs?of=18821' },
        { id: two, kind: 'divider' },
      ],
    });
  });

  it('has only items for the user that are not hidden and whose tours and surveys are live', () => {
    const items = [
      { kind: 'tour', title: 'Tour', campaign_id: tour },
      { kind: 'survey', title: 'Survey', campaign_id: survey },
      { title: 'For some', url: '/some', segment_id: segment },
      { title: 'Hidden', url: '/hidden', hide: true },
    ];
    const itemsFor = (user: Partial<PageUser>) =>
      contentOf('launcher', { items }, { user: { ...newUser, ...user } }).items ?? [];
    const titles = (user: Partial<PageUser>) => itemsFor(user).map(({ title }: { title: string[] }) => title[0]);
    expect(titles({})).toEqual([]);
    expect(titles({ isLive: () => true })).toEqual(['Tour', 'Survey']);
    expect(titles({ isLive: (one) => one === survey })).toEqual(['Survey']);
    expect(titles({ inSegment: (one) => one === segment })).toEqual(['For some']);
    expect(itemsFor({ inSegment: () => true })).toEqual([{ id: three, title: ['For some'], url: '/some' }]);
  });

  it('marks the tours and surveys that the user has completed', () => {
    const items = [
      { kind: 'tour', title: 'Tour', campaign_id: tour },
      { kind: 'survey', title: 'Survey', campaign_id: survey },
    ];
    const user = { ...newUser, isLive: () => true, isCompleted: (one: string) => one === tour };
    expect(contentOf('launcher', { items }, { user }).items).toEqual([
      { id: one, kind: 'tour', title: ['Tour'], campaign_id: tour, completed: true },
      { id: two, kind: 'survey', title: ['Survey'], campaign_id: survey },
    ]);
  });

  it('is the same for every user when no item depends on the user', () => {
    const isCommon = (item: object) =>
      toPageContent(self, documentOf('launcher', { items: [{ title: 'A', url: '/a', ...item }] }), nothing).isCommon;
    expect(isCommon({})).toBe(true);
    expect(isCommon({ segment_id: segment })).toBe(false);
    expect(isCommon({ kind: 'tour', campaign_id: tour })).toBe(false);
    expect(isCommon({ url: '/{{uid}}' })).toBe(false);
  });
});

describe('embed content', () => {
  it('has the style of an embed that is not a banner', () => {
    expect(contentOf('embed', { style: 'card', steps: [{ title: 'Hi' }] }).style).toBe('card');
    expect(contentOf('embed', { style: 'banner', steps: [{ title: 'Hi' }] })).not.toHaveProperty('style');
  });
});
