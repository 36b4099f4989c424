import type { ShownExperience } from './document.ts';
import type { Editor } from './use-editor.ts';

/** What every tab of an Experience gets. */
export interface ExperienceTabProps {
  /** As the server has shown it last. */
  experience: ShownExperience;
  /** The draft that the person edits. */
  editor: Editor;
}
