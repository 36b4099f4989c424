import { blank, type Document, newPartId } from '../editor/document.ts';
import * as text from '../messages/text.ts';

/** The initial fields of a new step, which work for its kind without any choice. */
export function newStepFields({ kind, steps }: Document): Record<string, unknown> {
  const last = steps.at(-1);
  // A new step gets the placement of the last one, so that a tour stays in its corner.
  const place = last && {
    position_type: last.position_type === 'inline' ? 'inline' : 'relative_to_screen',
    screen_position: last.screen_position,
  };
  switch (kind) {
    case 'launcher':
      return {};
    case 'survey':
      return { ...place, preset: steps.length === 0 ? 'survey_nps' : 'survey_input' };
    case 'tooltip':
      return { position_type: 'snap_to_element' };
    case 'embed':
      return { position_type: 'inline' };
    case 'tour':
      return { ...place, buttons: [newButton(text.content.newButton, 'next')] };
  }
}

export function newButton(label: string, tourAction: 'next' | null): Record<string, unknown> {
  return { ...blank.buttons, id: newPartId(), position: 0, text: label, tour_action: tourAction };
}
