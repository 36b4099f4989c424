import type { ShownExperience } from './document.ts';
import type { Editor } from './use-editor.ts';

/** What every tab of an Experience gets. */
export interface ExperienceTabProps {
  /** The Experience as in the last response of the server. */
  experience: ShownExperience;
  /** The draft that the person edits. */
  editor: Editor;
}
