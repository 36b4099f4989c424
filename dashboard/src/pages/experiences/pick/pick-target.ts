import { discardImport, hasImport, type QuantifierUrl } from '@usher/domain';
import { kinds } from '@usher/domain/kinds';
import { type Command, setFields, setPart } from '../../../editor/commands.ts';
import type { Button, Document, Step } from '../../../editor/document.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { waitsForElement } from '../../../editor/waits-for-element.ts';

type PageElement = Step['elements'][number];

/** The field that an element is picked for. */
export interface PickTarget {
  /** The ID of the step, of the button, or of the Experience itself. */
  id: string;
  what: 'step' | 'button' | 'launcher';
  /** The step that the bar on the page names. */
  stepId: string | undefined;
  /** A step can have several ways to find its element. A button has one, and a launcher has only a selector. */
  holds: 'several' | 'one' | 'selector';
  /** Whether there is an element already. */
  isSet: boolean;
  /** The step that shows at the element. */
  step: Step | undefined;
  /** The URL rules of the step, if it has some. */
  urls: readonly QuantifierUrl[];
  set: (elements: readonly PageElement[]) => Command;
}

export function stepTarget({ document }: Editor, step: Step): PickTarget {
  return {
    ...{ id: step.id, what: 'step', stepId: step.id, holds: 'several', step },
    isSet: step.elements.length > 0,
    urls: step.quantifier_urls,
    set: (elements) =>
      setPart(step.id, {
        ...(hasImport(step) ? discardImport(elements) : { elements: [...elements] }),
        ...(isOnScreen(document, step) && { position_type: 'snap_to_element' }),
      }),
  };
}

/** The element that a button clicks. */
export function buttonTarget(step: Step, button: Button): PickTarget {
  return {
    ...{ id: button.id, what: 'button', stepId: step.id, holds: 'one', step: undefined },
    isSet: button.action_element !== null,
    urls: step.quantifier_urls,
    set: ([first]) => setPart(button.id, { action_element: first ?? null }),
  };
}

/** The element that opens a launcher. */
export function launcherTarget({ id, document }: Editor): PickTarget {
  return {
    ...{ id, what: 'launcher', stepId: undefined, holds: 'selector', step: undefined },
    isSet: document.trigger !== null,
    urls: [],
    set: ([first]) => setFields({ trigger: first?.selector ?? null }),
  };
}

/** Whether the step had no element until now. Then it is placed at the picked element from now on. */
function isOnScreen({ kind }: Document, step: Step): boolean {
  return !kinds[kind].place && step.position_type === 'relative_to_screen' && !waitsForElement(step);
}
