import { SAMPLE_HOST } from '@usher/domain';

/*
 * What the sample product shows its users: one Experience of each kind. `@key` is the ID of a record that was created
 * before.
 */

export type SampleKey = 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed';

interface SampleExperience {
  key: SampleKey;
  /** How many days ago the Experience was published. */
  days: number;
  params: Record<string, unknown>;
}

const at = (path: string) => [{ url: `https://${SAMPLE_HOST}${path}` }];

export const sampleTags = [
  { key: 'onboarding', name: 'Onboarding' },
  { key: 'feedback', name: 'Feedback' },
];

export const sampleSegments = [
  {
    key: 'admins',
    name: 'Admins on the pro plan',
    items: [
      { kind: 'property', prop: 'role', op: 'eq', value: 'admin' },
      { kind: 'property', prop: 'company.plan', op: 'eq', value: 'pro' },
    ],
  },
  {
    key: 'seen',
    name: 'Seen in the last 7 days',
    items: [{ kind: 'property', prop: 'last_seen_at', op: 'gt-d', value: 7 }],
  },
  {
    key: 'creators',
    name: 'Created a project',
    items: [{ kind: 'event', value: 'project_created' }],
  },
];

export const sampleExperiences: readonly SampleExperience[] = [
  {
    key: 'survey',
    days: 30,
    params: {
      name: 'How likely are you to recommend us?',
      tag_ids: ['@feedback'],
      segment_ids: ['@creators'],
      style: 'auto',
      steps: [
        {
          title: 'How likely are you to recommend Harbor to a friend?',
          preset: 'survey_nps',
          label_low: 'Not at all',
          label_high: 'Very likely',
          screen_position: 'bottom_left',
          quantifier_urls: at('/projects'),
        },
        {
          title: 'What is the main reason?',
          preset: 'survey_input',
          placeholder: 'Tell us in a sentence',
          screen_position: 'bottom_left',
        },
        {
          title: 'Thank you, {{first_name | fallback: "friend"}}',
          preset: 'thank_you',
          screen_position: 'bottom_left',
        },
      ],
    },
  },
  {
    key: 'tour',
    days: 30,
    params: {
      name: 'Welcome tour',
      tag_ids: ['@onboarding'],
      style: 'auto',
      goal: 'project_created',
      steps: [
        {
          title: 'Welcome, {{first_name | fallback: "good to see you"}}',
          body: 'A look around takes half a minute.',
          backdrop: true,
          quantifier_urls: at('/'),
          buttons: [
            { text: 'Show me around', tour_action: 'next' },
            { text: 'Not now', tour_action: 'exit' },
          ],
        },
        {
          title: 'Begin here',
          body: 'A project takes a name and somebody who leads it.',
          position_type: 'snap_to_element',
          placement: 'bottom',
          elements: [{ selector: '#new-project' }],
          buttons: [{ text: 'Next', tour_action: 'next' }],
        },
        {
          title: 'Invite your team',
          body: 'People whom you invite see your projects immediately.',
          position_type: 'snap_to_element',
          placement: 'right',
          elements: [{ selector: '#invite' }],
          buttons: [{ text: 'Done', tour_action: 'next' }],
        },
      ],
    },
  },
  {
    key: 'launcher',
    days: 24,
    params: {
      name: 'Getting started',
      tag_ids: ['@onboarding'],
      title: 'Getting started',
      description: 'Three things to try first.',
      list_type: 'checklist',
      quantifier_urls: at('/*'),
      items: [
        { kind: 'tour', title: 'Take the tour', description: 'Half a minute', campaign_id: '@tour' },
        { kind: 'url', title: 'Create a project', url: '/projects/new' },
        { kind: 'url', title: 'Invite your team', url: '/team' },
      ],
    },
  },
  {
    key: 'tooltip',
    days: 18,
    params: {
      name: 'What takes a seat?',
      steps: [
        {
          title: 'What takes a seat?',
          body: 'Everybody who signed in within the last 30 days takes one.',
          position_type: 'inline',
          secondary_trigger: 'hover',
          placement: 'top',
          elements: [{ selector: '#seats' }],
          quantifier_urls: at('/team'),
        },
      ],
    },
  },
  {
    key: 'embed',
    days: 12,
    params: {
      name: 'New: filters by status',
      segment_ids: ['@seen'],
      style: 'banner',
      steps: [
        {
          title: 'New: filters by status',
          body: 'See at a glance which projects are at risk.',
          position_type: 'inline',
          elements: [{ selector: '#news' }],
          quantifier_urls: at('/'),
          buttons: [{ text: 'Try them', additional_actions: ['cta_url'], action_url: '/projects' }],
        },
      ],
    },
  },
];

/** The draft of the embed was changed after it was published. */
export const sampleDraft = { key: 'embed', days: 1, params: { name: 'New: filters by status and owner' } } as const;
