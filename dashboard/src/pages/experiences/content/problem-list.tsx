import { CircleAlert, CircleCheck } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { type Document, partsById } from '../../../editor/document.ts';
import type { Problem } from '../../../editor/problems.ts';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Popover } from '../../../ui/popover.tsx';
import type { Selection } from './use-selection.ts';

const texts = text.content.problems;

/** What keeps it from being published. Each entry goes to its field. */
export function ProblemList({
  document,
  problems,
  hasClash,
  goTo,
}: {
  document: Document;
  problems: readonly Problem[];
  /** The person has not chosen between two changes yet. */
  hasClash: boolean;
  goTo: Selection['goTo'];
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

/** `steps.0.buttons.1.text` is the field `text` of the second button. */
export function placeOfPath(document: Document, path: string): { of: string; field: string | undefined } {
  const [list, index, ...rest] = path.split('.');
  const part = list === 'steps' ? document.steps[Number(index)] : document.items?.[Number(index)];
  if ((list !== 'steps' && list !== 'items') || !part || index === undefined)
    return { of: '', field: list || undefined };
  if (rest[0] !== 'buttons' || rest.length < 3 || !('buttons' in part)) return { of: part.id, field: rest[0] };
  return { of: part.buttons[Number(rest[1])]?.id ?? part.id, field: rest[2] };
}

/** The problems of one field, for the text below it. The list has those of the whole document. */
export function problemOf(
  document: Document,
  problems: readonly Problem[],
  of: string,
  field: string,
): string | undefined {
  if (of !== '' && !partsById(document).has(of)) return undefined;
  const found = problems.find(({ path }) => {
    const place = placeOfPath(document, path);
    return place.of === of && place.field === field;
  });
  if (!found) return undefined;
  const plain = found.detail.replaceAll('`', '');
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}.`;
}
