import type { PageButton, PageExperience, PageItem, PageStep } from '../src/wire.ts';

/* A gallery with one Experience of each look. */

const button = (id: string, text: string, tour_action?: PageButton['tour_action']): PageButton => ({
  ...{ id, text: [text] },
  ...(tour_action && { tour_action }),
});
const tour = (...steps: Partial<PageStep>[]): PageExperience => ({
  ...{ id: 'tour', kind: 'tour' },
  steps: steps.map((step, index) => ({ id: `s${index + 1}`, ...step })),
});
const survey = (preset: string, step: Partial<PageStep> = {}): PageExperience => ({
  ...{ id: 'survey', kind: 'survey' },
  steps: [
    { id: 's1', preset, title: ['How easy was it to create a report?'], screen_position: 'bottom_right', ...step },
  ],
});
const launcher = (fields: Partial<PageExperience>): PageExperience => ({ id: 'launcher', kind: 'launcher', ...fields });
const at = (selector: string) => ({ elements: [{ selector }], position_type: 'snap_to_element' as const });
const inside = (selector: string) => ({ elements: [{ selector }], position_type: 'inline' as const });

const answers = ['Very hard', 'Hard', 'Neither', 'Easy', 'Very easy'].map((text, index) => button(`b${index}`, text));
const items: PageItem[] = [
  { id: 'i1', kind: 'tour', campaign_id: 'c1', title: ['Connect your data'], completed: true },
  {
    id: 'i2',
    kind: 'tour',
    campaign_id: 'c2',
    title: ['Create a report'],
    description: [['p', 'Start with a template']],
  },
  { id: 'i3', kind: 'divider' },
  { id: 'i4', title: ['Read the guide'], url: '/guide' },
];

export const gallery: Record<string, PageExperience> = {
  'a modal': tour(
    {
      title: ['Welcome to Orbit'],
      body: [
        [
          'p',
          'Turn your numbers into a ',
          ['strong', 'report'],
          ' that ',
          ['a', { href: '/team' }, 'your team'],
          ' reads.',
        ],
        ['ul', ['li', 'Pick your data'], ['li', 'Choose a template']],
        ['pre', ['code', 'npm start']],
        ['blockquote', ['p', 'It is easy.']],
      ],
      backdrop: true,
      dismiss_text: ['Not now'],
      buttons: [button('b1', 'Show me', 'next')],
    },
    {},
  ),
  'a long modal': tour({
    title: ['What is new'],
    body: Array.from({ length: 30 }, (_, index) => ['p', `Paragraph ${index} with a few words in it.`]),
    backdrop: true,
  }),
  'a step at an element': tour(
    {
      title: ['Create your first report'],
      body: [['p', 'It starts here.']],
      ...at('#new'),
      backdrop: true,
      snooze_hours: 24,
    },
    {},
  ),
  'a step of many words': tour({
    title: ['Rechtsschutzversicherungsgesellschaftenverzeichnis'],
    body: [['p', 'https://example.com/a-very-long-address-without-any-place-to-break-it-0123456789']],
    ...at('#head'),
    placement: 'right',
    buttons: ['Show me how that is done', 'Donaudampfschifffahrtsgesellschaftskapitän', 'No'].map((text) =>
      button(text, text),
    ),
    dismiss_text: ['I would rather not see it now'],
  }),
  'a slideout': tour({ title: ['Shared dashboards'], body: [['p', 'Now for teams.']], screen_position: 'top_left' }),
  'a banner': tour({ body: [['p', 'Your trial ends in 3 days.']], screen_position: 'bottom', dismiss_text: ['Later'] }),
  'a question of two': survey('survey_two', { buttons: answers.slice(0, 2) }),
  'a question of three': survey('survey_three', { buttons: answers.slice(0, 3) }),
  'a question of four': survey('survey_four', { buttons: answers.slice(0, 4) }),
  'a question of five': survey('survey_five', { buttons: answers, snooze_hours: 24 }),
  'an NPS': survey('survey_nps', { label_low: ['Not likely'], label_high: ['Very likely'] }),
  'a CSAT': survey('survey_csat', { label_low: ['Unhappy'], label_high: ['Happy'], dismiss_text: ['Not now'] }),
  'a CES': survey('survey_ces'),
  'a question for words': survey('survey_input', {
    placeholder: ['I wish that…'],
    screen_position: 'center',
    backdrop: true,
  }),
  'a question with a list': survey('survey_dropdown', {
    dropdown_items: [['Search'], ['A friend']],
    other_text: ['Other'],
  }),
  'a follow-up': survey('response', { placeholder: ['In your own words'] }),
  'a thank-you': survey('thank_you', { title: ['Thank you'], body: [['p', 'We read every answer.']] }),
  'a launcher': launcher({ title: ['Help'], description: [['p', 'Find your way.']], items }),
  'a checklist': launcher({
    list_type: 'checklist',
    trigger_type: 'tab',
    trigger_text: ['Get started'],
    title: ['Get started'],
    items,
  }),
  'an empty launcher': launcher({
    title: ['News'],
    trigger: 'bell',
    screen_position: 'bottom_left',
    empty_state_content: [['p', 'Nothing new.']],
  }),
  'a tooltip': {
    id: 'tooltip',
    kind: 'tooltip',
    steps: [{ id: 's1', title: ['Churn'], body: [['p', 'Who left.']], ...at('#churn') }],
  },
  'a tooltip at an icon': {
    ...{ id: 'tooltip', kind: 'tooltip' },
    steps: [
      {
        id: 's1',
        body: [['p', 'Who left.']],
        ...inside('#churn'),
        secondary_trigger: 'click',
        buttons: [button('b1', 'Show me')],
      },
    ],
  },
  'an embedded banner': {
    ...{ id: 'embed', kind: 'embed' },
    steps: [
      {
        id: 's1',
        title: ['Twice as fast'],
        body: [['p', 'Nothing to do.']],
        ...inside('#slot'),
        buttons: [button('b1', 'Read more')],
      },
    ],
  },
  'an embedded card': {
    ...{ id: 'embed', kind: 'embed', style: 'card' },
    steps: [
      {
        id: 's1',
        title: ['Invite your team'],
        body: [['p', 'Five for free.']],
        ...inside('.cards'),
        dismiss_text: ['Not now'],
      },
    ],
  },
};
