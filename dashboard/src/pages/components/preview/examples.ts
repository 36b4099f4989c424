import {
  type Button,
  buttonFields,
  completeQuestion,
  type Document,
  emptyDocument,
  initialValues,
  itemFields,
  type ListItem,
  type Step,
  stepFields,
  type Translations,
} from '@usher/domain';

/* Examples for tests: one Experience of each kind and look, with texts in Arabic. */

export type Example = Document & { id: string };

const button = (id: string, text: string, fields: Partial<Button> = {}): Button =>
  ({ id, position: 0, ...initialValues(buttonFields), text, ...fields }) as Button;
const step = (id: string, fields: Partial<Step>): Step =>
  ({ id, position: 0, ...initialValues(stepFields), buttons: [], ...fields }) as Step;
const item = (id: string, fields: Partial<ListItem>): ListItem =>
  ({ id, position: 0, ...initialValues(itemFields), ...fields }) as ListItem;
const experience = (kind: Example['kind'], fields: Partial<Example>): Example => ({
  ...emptyDocument(kind),
  id: `${kind}-1`,
  ...fields,
});
const at = (selector: string) => ({
  elements: [{ selector, text: null, shadow_selector: null }],
  position_type: 'snap_to_element' as const,
});
const inside = (selector: string) => ({ ...at(selector), position_type: 'inline' as const });
const next = { tour_action: 'next' as const };

const tour = experience('tour', {
  name: 'Welcome tour',
  steps: [
    step('welcome', {
      title: 'Welcome, {{first_name | fallback: "friend"}}',
      body: 'Turn your numbers into a **report** that [your team](https://example.com/team) reads.\n\n- Pick your data\n- Choose a template',
      backdrop: true,
      dismiss_text: 'Not now',
      buttons: [button('show', 'Show me', next)],
    }),
    step('new', {
      ...at('#new-report'),
      title: 'Create your first report',
      body: 'It starts here.',
      snooze_hours: 24,
      buttons: [
        button('back', 'Back', { tour_action: 'previous' }),
        button('run', 'Create it', {
          ...next,
          additional_actions: ['code', 'cta_url', 'element_click'],
          action_script: 'parent.document.title = "hacked"; document.title = "hacked"',
          action_url: 'https://example.com/reports',
          action_element: { selector: 'body', text: null, shadow_selector: null },
        }),
      ],
    }),
    step('done', { title: 'That is all', body: 'Find us at the help icon.', screen_position: 'bottom_right' }),
  ],
});

const survey = experience('survey', {
  name: 'How likely',
  steps: [
    step('nps', {
      preset: 'survey_nps',
      title: 'How likely are you to recommend Orbit?',
      label_low: 'Not likely',
      label_high: 'Very likely',
      screen_position: 'bottom_right',
    }),
    step('why', {
      preset: 'survey_input',
      title: 'What is the main reason?',
      placeholder: 'In your own words',
      screen_position: 'bottom_right',
    }),
    step('thanks', {
      preset: 'thank_you',
      title: 'Thank you',
      body: 'We read every answer.',
      screen_position: 'bottom_right',
    }),
  ],
});

const choice = experience('survey', {
  name: 'Where from',
  id: 'survey-2',
  steps: [
    step('from', {
      preset: 'survey_dropdown',
      title: 'How did you find us?',
      dropdown_items: ['Search', 'A friend'],
      other_text: 'Somewhere else',
    }),
    step('ease', {
      preset: 'survey_three',
      title: 'How easy was it?',
      buttons: [button('hard', 'Hard'), button('ok', 'Neither'), button('easy', 'Easy')],
    }),
  ],
});

const questions = experience('survey', {
  name: 'Plans',
  id: 'survey-3',
  steps: [
    step('plans', {
      title: 'What do you want to do?',
      question: completeQuestion({
        kind: 'multiple',
        required: true,
        options: [
          { id: 'reports', text: 'Write reports' },
          { id: 'data', text: 'Look at data' },
        ],
        other_text: 'Something else',
      }),
      next: [{ when: { step_id: 'plans', op: 'eq', value: 'data' }, go: 'stars' }],
    }),
    step('why', { title: 'Whose reports are they?', question: completeQuestion({ kind: 'text' }) }),
    step('stars', {
      title: 'You said {{answer "plans" fallback="nothing"}}',
      question: completeQuestion({ kind: 'stars' }),
    }),
  ],
});

const launcher = experience('launcher', {
  name: 'Get started',
  title: 'Get started',
  description: 'Four steps to your first report.',
  list_type: 'checklist',
  items: [
    item('data', { kind: 'tour', campaign_id: 'tour-1', title: 'Connect your data' }),
    item('hidden', { title: 'A hidden item', url: 'https://example.com', hide: true }),
    item('report', { kind: 'tour', campaign_id: 'tour-2', title: 'Create a report', description: 'From a template' }),
    item('gap', { kind: 'divider' }),
    item('guide', { title: 'Read the guide', url: 'https://example.com/guide' }),
    item('same', { title: 'Read the guide', url: 'https://example.com/guide' }),
  ],
});

const tooltip = experience('tooltip', {
  name: 'New here',
  steps: [
    step('churn', {
      ...at('#churn'),
      title: 'Churn',
      body: 'Who left in the last 30 days.',
      secondary_trigger: 'click',
    }),
  ],
});

/** A tooltip that opens from an icon of its own. */
const icon = experience('tooltip', {
  name: 'Export',
  id: 'tooltip-2',
  steps: [
    step('export', {
      ...inside('.export'),
      title: 'Export',
      body: 'As a spreadsheet, or [by email](https://example.com).',
      buttons: [button('more', 'Read more', { additional_actions: ['cta_url'], action_url: 'https://example.com' })],
    }),
  ],
});

const banner = experience('embed', {
  name: 'Twice as fast',
  steps: [
    step('banner', {
      ...inside('#content'),
      title: 'Reports are twice as fast',
      body: 'Nothing to do for you.',
      buttons: [button('more', 'Read more')],
    }),
  ],
});

const card = experience('embed', {
  name: 'Invite your team',
  id: 'embed-2',
  style: 'card',
  steps: [
    step('card', {
      ...inside('.sidebar'),
      title: 'Invite your team',
      body: 'The first five are free.',
      dismiss_text: 'Not now',
      buttons: [button('invite', 'Invite people')],
    }),
  ],
});

/** Texts that break code which does not escape them, and a step with little room. */
const hostile = experience('tour', {
  name: '<img src=x onerror=alert(1)>',
  id: 'tour-2',
  steps: [
    step('hostile', {
      ...at('div[onclick="alert(1)"] > <script>'),
      title: `<img src=x onerror="parent.document.title='hacked'">\u202e${'W'.repeat(80)}`,
      body: '<script>document.title = "hacked"</script> [link](javascript:alert(1)) ![x](data:text/html,x)',
      buttons: [
        button('js', '"><svg onload=alert(1)>', { additional_actions: ['cta_url'], action_url: 'javascript:alert(1)' }),
      ],
    }),
  ],
});

const long = experience('tour', {
  name: 'Twenty steps',
  id: 'tour-3',
  steps: Array.from({ length: 20 }, (_, index) =>
    step(`step-${index}`, {
      title: `Step ${index + 1}`,
      body: 'A few words about what is here, and what to do with it.',
      ...(index % 2 === 1 && at(`#part-${index}`)),
    }),
  ),
});

export const examples = { tour, survey, choice, questions, launcher, tooltip, icon, banner, card, hostile, long };
export type ExampleName = keyof typeof examples;

export const translations: Translations = {
  ar: {
    welcome: {
      title: 'مرحبًا {{first_name | fallback: "صديقي"}}',
      body: 'حوّل أرقامك إلى **تقرير** يقرؤه فريقك.\n\n- اختر بياناتك\n- اختر قالبًا',
      dismiss_text: 'ليس الآن',
    },
    show: { text: 'أرني' },
    new: { title: 'أنشئ تقريرك الأول', body: 'يبدأ من هنا.' },
    nps: { title: 'ما مدى احتمال أن توصي بنا؟', label_low: 'غير محتمل', label_high: 'محتمل جدًا' },
    'launcher-1': { title: 'ابدأ الآن', description: 'أربع خطوات إلى أول تقرير.' },
    data: { title: 'اربط بياناتك' },
    churn: { title: 'المغادرون', body: 'من غادر خلال آخر ٣٠ يومًا.' },
    banner: { title: 'التقارير أسرع مرتين', body: 'لا حاجة لفعل شيء.' },
  },
};
