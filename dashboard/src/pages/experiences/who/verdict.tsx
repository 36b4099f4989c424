import { CircleCheck, CircleX } from 'lucide-react';
import { FieldLink, plainReason } from '../../../fields/reason.tsx';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Popover } from '../../../ui/popover.tsx';
import type { Explanation, Showing } from './use-explanation.ts';

const texts = text.targeting.who;

/** Yes, or the reasons why not, each with the field that decides. */
export function Verdict({ id, explanation: { draft, live } }: { id: string; explanation: Explanation }) {
  const [first, ...others] = draft.reasons;
  const Icon = draft.shows ? CircleCheck : CircleX;
  return (
    // The reason is text that wraps, because people came to read it. A very long reason scrolls.
    <div className="relative max-h-15 min-w-0 overflow-y-auto pl-6 wrap-anywhere">
      <Icon size={16} aria-hidden className={cx('absolute top-0.5 left-0', draft.shows ? 'text-good' : 'text-bad')} />
      <strong className="font-medium">{draft.shows ? yesOf(live) : texts.no}</strong>
      {draft.shows && draft.waits_for && <>. {draft.waits_for}.</>}
      {first && (
        <>
          : <bdi>{plainReason(first.message)}</bdi>{' '}
        </>
      )}
      {live && live.shows !== draft.shows && (
        <span className="text-soft">({live.shows ? texts.live.yes : texts.live.no}) </span>
      )}
      {first && <FieldLink id={id} field={first.field} />}
      {others.length > 0 && (
        <Popover
          label={texts.allReasons}
          placement="top start"
          className="w-96 max-w-[90vw] text-13"
          trigger={
            <Button size="small" look="quiet" className="h-5">
              {texts.reasons(others.length)}
            </Button>
          }
        >
          {({ close }) => (
            <ol className="flex list-decimal flex-col gap-2 pl-4 wrap-anywhere">
              {draft.reasons.map((reason) => (
                <li key={`${reason.rule} ${reason.message}`}>
                  <bdi>{plainReason(reason.message)}</bdi> <FieldLink id={id} field={reason.field} onGo={close} />
                </li>
              ))}
            </ol>
          )}
        </Popover>
      )}
    </div>
  );
}

function yesOf(live: Showing | null): string {
  if (!live) return texts.yesDraft;
  return live.shows ? texts.yes : texts.yesChanges;
}
