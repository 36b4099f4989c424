import type { Button, ExperienceKind, ListItem, Step } from '@usher/domain';

/*
 * The fields of new Experiences and parts with their initial values. They equal those of `@usher/domain`, as a test checks: importing
 * its definitions would load the schemas of the whole API.
 */

const button: Omit<Button, 'id' | 'position'> = {
  text: null,
  tour_action: null,
  additional_actions: [],
  action_url: null,
  action_new_window: false,
  action_campaign_id: null,
  action_element: null,
  action_property: null,
  action_value: null,
  action_tag: null,
  action_script: null,
};

const step: Omit<Step, 'id' | 'position' | 'buttons'> = {
  title: null,
  body: null,
  dismiss_text: null,
  preset: null,
  dropdown_items: [],
  label_low: null,
  label_high: null,
  placeholder: null,
  other_text: null,
  step_trigger: 'page_load',
  secondary_trigger: null,
  trigger_delay: null,
  custom_trigger: null,
  position_type: 'relative_to_screen',
  screen_position: 'center',
  placement: 'auto',
  backdrop: false,
  elements: [],
  quantifier_urls: [],
  snooze_hours: null,
};

const item: Omit<ListItem, 'id' | 'position'> = {
  kind: 'url',
  title: null,
  description: null,
  url: null,
  campaign_id: null,
  segment_id: null,
  hide: false,
  action_script: null,
};

const common = {
  name: '',
  position: 0,
  segment_ids: [],
  segments_op: 'and',
  excluded_segment_ids: [],
  url_group_ids: [],
  tag_ids: [],
  published_at: null,
  published_until: null,
  archived_at: null,
  rate_unlimit_at: null,
  experiment_at: null,
  experiment_range: null,
  goal: null,
  repeat_days: null,
};

const launcher = {
  title: null,
  description: null,
  list_type: 'default',
  trigger_type: 'icon',
  trigger: null,
  trigger_text: null,
  screen_position: 'bottom_right',
  position_type: 'relative_to_screen',
  empty_state_content: null,
  quantifier_urls: [],
};

const blanks: Record<ExperienceKind | 'step' | 'button' | 'item', Record<string, unknown>> = {
  tour: { ...common, style: 'auto' },
  survey: { ...common, style: 'auto' },
  launcher: { ...common, ...launcher },
  tooltip: common,
  embed: { ...common, style: 'banner' },
  step,
  button,
  item,
};

/** The fields of something new. The lists of parts are not among them. */
export function blankFields(what: keyof typeof blanks): Record<string, unknown> {
  return blanks[what];
}

export const MAX_PARTS = { steps: 200, buttons: 10, items: 100 } as const;
