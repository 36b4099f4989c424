import { CircleAlert, CircleCheck } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components/Button';
import type { Document } from '../../../editor/document.ts';
import type { Problem } from '../../../editor/problems.ts';
import type { GoToField } from '../../../fields/field-focus.ts';
import { placeOfPath } from '../../../fields/place-of-path.ts';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Popover } from '../../../ui/popover.tsx';

const texts = text.content.problems;

/** The problems that keep an Experience from being published. Each entry leads to its field. */
export function ProblemList({
  document,
  problems,
  hasClash,
  goTo,
}: {
  document: Document;
  problems: readonly Problem[];
  /** Whether the person has not chosen between two changes yet. */
  hasClash: boolean;
  goTo: GoToField;
}) {
  if (problems.length === 0 && hasClash)
    return (
      <p className="flex items-center gap-1.5 text-13 text-warn">
        <CircleAlert size={16} aria-hidden />
        {texts.clash}
      </p>
    );
  if (problems.length === 0)
    return (
      <p className="flex items-center gap-1.5 text-13 text-soft">
        <CircleCheck size={16} aria-hidden className="text-good" />
        {texts.none}
      </p>
    );
  return (
    <Popover
      label={texts.title}
      placement="top start"
      className="max-h-80 w-96 max-w-[90vw] overflow-auto p-1"
      trigger={
        <Button size="small" look="quiet" icon={CircleAlert} className="text-bad">
          {texts.count(problems.length)}
        </Button>
      }
    >
      {({ close }) => (
        <ul>
          {problems.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <AriaButton
                className="w-full rounded-6 px-2 py-1.5 text-left text-13 wrap-anywhere data-focus-visible:-outline-offset-2 data-hovered:bg-hover"
                onPress={() => {
                  close();
                  const { of, field } = placeOfPath(document, path);
                  // The popover gives the focus back to its button first.
                  requestAnimationFrame(() => goTo(of, field));
                }}
              >
                {message.replaceAll('`', '')}
              </AriaButton>
            </li>
          ))}
        </ul>
      )}
    </Popover>
  );
}
