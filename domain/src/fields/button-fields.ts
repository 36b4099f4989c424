import { address, boolean, code, element, id, optionalWord, shownText, text, words } from './field.ts';

export const tourActions = ['next', 'previous', 'exit', 'snooze'] as const;
export const additionalActions = [
  'cta_url',
  'element_click',
  'tour',
  'survey',
  'property',
  'tag_user',
  'code',
] as const;
/** What other v3 services have. Imported buttons keep these, but nothing happens. */
export const foreignActions = {
  helpbar: 'open a help page with `cta_url`, or make a launcher with the articles',
  automation: 'set a property with `property` or a tag with `tag_user`, and target the next Experience at it',
  demo: 'open the address of the demo with `cta_url`, or start a tour with `tour`',
  hero_button: 'open a page with `cta_url`, or move through the tour with `tour_action`',
  any_click: 'let the next step wait for a click: `secondary_trigger` = `click`',
} as const;
/** The server applies it when the click is reported. */
const isForServer = true;

export const buttonFields = {
  text: shownText('text', { what: 'the text of the button', max: 200 }),
  tour_action: optionalWord('next step', tourActions, { isLook: true }),
  additional_actions: words('actions', 'a list of actions', additionalActions, foreignActions),
  action_url: address('address'),
  action_new_window: boolean('window of the link'),
  action_campaign_id: id('Experience to start', 'a tour or survey', ['tours', 'surveys']),
  action_element: element('element to click'),
  action_property: text('property to set', 'the key of a property', { max: 255, isForServer }),
  action_value: text('value to set', 'the value of the property', { isForServer }),
  action_tag: text('tag for the user', 'the tag that the user gets', { max: 255, isForServer }),
  action_script: code('code'),
};
