import { boolean, foreignWord, hosts, markdown, number, shownText, text, urls, word } from '../fields/field.ts';
import { screenPositions } from '../fields/step-fields.ts';
import type { Kind } from './kind.ts';

const isLook = true;

const launcherFields = {
  title: shownText('title'),
  description: markdown('description'),
  list_type: word('type of list', ['default', 'checklist'], 'default', { isLook }),
  in_order: boolean('one item after the other', { isForServer: true }),
  celebration: boolean('celebration'),
  hide_after_completed_days: number(
    'days until it leaves after it is completed',
    'a number of days, up to 3650',
    3650,
    { isForServer: true },
  ),
  trigger_type: word('way to open it', ['icon', 'tab', 'element'], 'icon', { isLook }),
  trigger: text('icon or element that opens it', 'the name of an icon, or the selector of an element', { max: 1000 }),
  trigger_text: shownText('text of the tab', { max: 200 }),
  icon_size: number('size of the icon', 'a number of pixels, up to 200', 200, { isLook }),
  screen_position: word('position on the screen', screenPositions, 'bottom_right', { isLook }),
  offset_x: number('distance from the side', 'a number of pixels, up to 500', 500),
  offset_y: number('distance from the top or bottom', 'a number of pixels, up to 500', 500),
  badge: word('badge', ['count', 'dot', 'text', 'none'], 'count', { isLook }),
  badge_text: shownText('text of the badge', { max: 20 }),
  shortcut: text('keyboard shortcut', 'a letter or digit with Alt or Ctrl, such as `Alt+H`', { max: 30 }),
  position_type: word('position', ['relative_to_screen', 'snap_to_trigger'], 'relative_to_screen'),
  empty_state_content: markdown('text of the empty list', { what: 'what an empty list says' }),
  quantifier_urls: urls('pages'),
  blocked_domains: hosts('domains where it does not show', 200, { isForServer: true }),
  // Launchers of other v3 services have these. They are kept, and have no effect.
  preset: foreignWord('preset', 255, { isForServer: true }),
  search_placeholder: shownText('hint in the search', { max: 200, isForServer: true }),
};

export const launcher = {
  path: 'launchers',
  modelType: 'List',
  fields: launcherFields,
  parts: 'items',
  isLasting: true,
  measures: ['displayed', 'started'],
} as const satisfies Kind;
