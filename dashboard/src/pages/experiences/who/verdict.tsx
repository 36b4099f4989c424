import { CircleCheck, CircleX } from 'lucide-react';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Link } from '../../../ui/link.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { addressOfField } from '../targeting/targeting-fields.ts';
import type { Explanation, Showing } from './use-explanation.ts';

const texts = text.targeting.who;

/** Yes, or the reasons why not, each with the field that decides. */
export function Verdict({ id, explanation: { draft, live } }: { id: string; explanation: Explanation }) {
  const [first, ...others] = draft.reasons;
  const Icon = draft.shows ? CircleCheck : CircleX;
  return (
    <>
      <Icon size={16} aria-hidden className={draft.shows ? 'shrink-0 text-good' : 'shrink-0 text-bad'} />
      <p className="min-w-0 wrap-anywhere lg:line-clamp-2">
        <strong className="font-medium">{draft.shows ? yesOf(live) : texts.no}</strong>
        {first && `: ${plain(first.message)}`}
        {live && live.shows !== draft.shows && (
          <span className="text-soft"> ({live.shows ? texts.live.yes : texts.live.no})</span>
        )}
      </p>
      {first && <FieldLink id={id} field={first.field} />}
      {others.length > 0 && (
        <Popover
          label={texts.allReasons}
          placement="top start"
          className="w-96 max-w-[90vw] text-13"
          trigger={
            <Button size="small" look="quiet">
              {texts.reasons(others.length)}
            </Button>
          }
        >
          {({ close }) => (
            <ol className="flex list-decimal flex-col gap-2 pl-4 wrap-anywhere">
              {draft.reasons.map((reason) => (
                <li key={`${reason.rule} ${reason.message}`}>
                  {plain(reason.message)} <FieldLink id={id} field={reason.field} onGo={close} />
                </li>
              ))}
            </ol>
          )}
        </Popover>
      )}
    </>
  );
}

function yesOf(live: Showing | null): string {
  if (!live) return texts.yesDraft;
  return live.shows ? texts.yes : texts.yesChanges;
}

const plain = (message: string) => `${message.replaceAll('`', '')}.`;

/** Leads to the field that decides, if the dashboard has it. */
function FieldLink({ id, field, onGo }: { id: string; field: string | null; onGo?: () => void }) {
  const href = field === null ? undefined : addressOfField(id, field);
  if (href === undefined) return null;
  const name = field?.split('.').at(-1) ?? '';
  return (
    <Link href={href} {...(onGo && { onPress: onGo })} className="whitespace-nowrap">
      {texts.change[name] ?? texts.changeOther}
    </Link>
  );
}
