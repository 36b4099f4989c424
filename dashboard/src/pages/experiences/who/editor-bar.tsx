import type { ExperienceTabProps } from '../../../editor/experience-tab-props.ts';
import type { GoToField } from '../../../fields/field-focus.ts';
import { ProblemList } from './problem-list.tsx';
import { WhoSees } from './who-sees.tsx';

/**
 * A bar that is always visible below the content and the targeting: who sees the Experience, and what to fix before
 * publishing.
 */
export function EditorBar({ experience, editor, goTo }: ExperienceTabProps & { goTo: GoToField }) {
  return (
    <div className="bottom-0 z-10 -mx-4 flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line bg-ground px-4 py-1.5 md:sticky">
      <WhoSees experience={experience} editor={editor} />
      <ProblemList
        document={editor.document}
        problems={editor.problems}
        hasClash={editor.clashes.length > 0}
        goTo={goTo}
      />
    </div>
  );
}
