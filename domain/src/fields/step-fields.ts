import {
  boolean,
  code,
  element,
  elements,
  eventTrigger,
  markdown,
  number,
  optionalWord,
  picture,
  presets,
  question,
  rules,
  shownText,
  shownTexts,
  text,
  urls,
  word,
  words,
} from './field.ts';
import { MAX_RULES } from './rules.ts';

export const stepTriggers = ['page_load', 'element_match', 'element_not_match', 'event'] as const;
export const secondaryTriggers = [
  'click',
  'hover',
  'time_on_page',
  'smart_delay',
  'input',
  'exit_intent',
  'scroll_percent',
  'custom_trigger',
] as const;
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
/** A slideout is at a side of the window. The start is the left side, and in languages from right to left the right one. */
export const slideoutPositions = [
  'slideout_bottom_start',
  'slideout_bottom_end',
  'slideout_middle_start',
  'slideout_middle_end',
] as const;
export const stepPositions = [...screenPositions, ...slideoutPositions] as const;
/** The times that users can choose from when they want to be reminded. */
export const snoozeChoices = ['1h', '4h', '1d', '3d', '7d', '14d', '30d'] as const;

/** Questions with a scale, which has buttons of its own. */
export const scales = ['survey_nps', 'survey_csat', 'survey_ces'] as const;
const typed = ['survey_input', 'response', 'survey_dropdown'] as const;
export const mediaPositions = ['above', 'left', 'right', 'full_bleed'] as const;
const isLook = true;
const imported = { isForServer: true, isImported: true };

export const stepFields = {
  title: shownText('title'),
  body: markdown('text', { what: 'the body, in Markdown', max: 20_000 }),
  picture: picture('picture', { isLook }),
  picture_alt: shownText('description of the picture', {
    what: 'what the picture or video shows, for people who cannot see it',
  }),
  video_url: text(
    'address of the video',
    'the address of an MP4 or WebM file, or of a video on YouTube, Vimeo or Loom',
    {
      ...{ max: 2000, isLook },
    },
  ),
  media_position: word('place of the picture', mediaPositions, 'above', { isLook }),
  dismiss_text: shownText('link to dismiss', {
    ...{ what: 'the text of what dismisses the step', max: 200, notIn: ['tooltip', 'thank_you'] },
  }),
  preset: optionalWord('preset', presets, { isLook }),
  question: question('question', { isLook }),
  dropdown_items: shownTexts(
    'answers to choose from',
    'a list of answers',
    100,
    { name: 'answer', max: 200 },
    { questions: ['survey_dropdown'] },
  ),
  label_low: shownText('label of the lowest answer', {
    ...{ what: 'what the lowest answer means', max: 200, questions: [...scales, 'stars', 'scale'] },
  }),
  label_high: shownText('label of the highest answer', {
    ...{ what: 'what the highest answer means', max: 200, questions: [...scales, 'stars', 'scale'] },
  }),
  placeholder: shownText('hint in the empty field', {
    ...{ what: 'what an empty field says', max: 200, questions: [...typed, 'text', 'long_text', 'email'] },
  }),
  other_text: shownText('name of any other answer', {
    ...{ what: 'the name of any other answer', max: 200, questions: ['survey_dropdown'] },
  }),
  next: rules('where it goes next', MAX_RULES),
  step_trigger: word('start', stepTriggers, 'page_load'),
  // The server finds out whether an event matches, so pages need not know which one a step waits for.
  trigger_event: eventTrigger('event that starts it', { isForServer: true }),
  secondary_trigger: optionalWord('second condition to start', secondaryTriggers),
  trigger_delay: number('delay', 'a number of seconds, up to 86400', 86_400),
  trigger_scroll_percent: number('part of the page to scroll', 'a percentage from 1 to 100', 100, { min: 1 }),
  custom_trigger: code('code that decides when to show it', 'code that answers whether the step may show'),
  position_type: word('position', positionTypes, 'relative_to_screen', { isLook }),
  screen_position: word('position on the screen', stepPositions, 'center', { isLook }),
  placement: word('side of the element', ['auto', 'top', 'right', 'bottom', 'left'], 'auto', { isLook }),
  backdrop: boolean('backdrop', { isLook, kinds: ['tour'] }),
  hotspot: boolean('hotspot to begin with', { kinds: ['tour'] }),
  elements: elements('element', 10),
  quantifier_urls: urls('pages'),
  snooze_hours: number('time to snooze', 'a number of hours, up to 8760', 8760),
  snooze_choices: words('times to choose from for a reminder', 'a list of times', snoozeChoices),
  // Steps of other v3 services have an element for each of these. import-step.ts makes `elements` of them.
  trigger_element: element('imported element that starts it', imported),
  position_element: element('imported element that it stands at', imported),
  exit_element: element('imported element that ends it', imported),
  trigger_additional_element: element('imported element of another condition', imported),
  trigger_secondary_element: element('imported element of the second condition', imported),
  step_additional_trigger: text('imported further condition to start', 'a text', { max: 255, ...imported }),
  follow_up_delay: number('imported delay before the next step', 'a number from 0', 1e12, imported),
};
