import { address, boolean, code, element, id, optionalWord, shownText, text, words } from './field.ts';

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
/** The server applies it when the click is reported. */
const isForServer = true;

export const buttonFields = {
  text: shownText('text', { what: 'the text of the button', max: 200 }),
  tour_action: optionalWord('next step', tourActions, { isLook: true }),
  additional_actions: words('actions', 'a list of actions', additionalActions),
  action_url: address('address'),
  action_new_window: boolean('window of the link'),
  action_campaign_id: id('Experience to start', 'a tour or survey'),
  action_element: element('element to click'),
  action_property: text('property to set', 'the key of a property', { max: 255, isForServer }),
  action_value: text('value to set', 'the value of the property', { isForServer }),
  action_tag: text('tag for the user', 'the tag that the user gets', { max: 255, isForServer }),
  action_script: code('code'),
};
