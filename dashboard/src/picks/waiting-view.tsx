import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatTimeOfDay } from '../messages/format.ts';
import * as text from '../messages/text.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { Fold } from '../ui/fold.tsx';
import { Link } from '../ui/link.tsx';
import { Notice } from '../ui/notice.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { codeAddress } from './page-address.ts';
import type { ElementPick } from './pick-api.ts';
import type { Opening } from './use-opening.ts';

const texts = text.pick.waiting;
const { help } = text.pick;

interface WaitingViewProps {
  pick: ElementPick;
  opening: Opening;
  /** Texts about what happens, and what to do on the page. */
  words: { waiting: string; opened: string; steps: readonly string[]; until: (time: string) => string };
  /** Whether the page sends nothing back, so that there is nothing to wait for once it is open. */
  isDone?: boolean;
  /** What to do if the page does not load Usher at all. */
  lastHelp: ReactNode;
  /** What happens when the dialog is closed. */
  closeHelp: string;
}

/**
 * Shown while the page is open in another tab, or should be. Says what to do there, and what to do if nothing happens.
 */
export function WaitingView({ pick, opening, words, isDone = false, lastHelp, closeHelp }: WaitingViewProps) {
  const isOpened = pick.state === 'opened';
  const until = formatTimeOfDay(new Date(pick.expires_at));
  const { address, code, isBlocked } = secretsOf(opening, pick);
  return (
    <div className="flex flex-col gap-4">
      {isBlocked && !isOpened && (
        <Notice kind="warning" title={help.blocked}>
          {address !== undefined && <Link href={address}>{texts.open}</Link>}
        </Notice>
      )}
      <div className="flex items-start gap-2.5 rounded-6 bg-accent-tint px-3 py-2.5 text-14 forced-colors:border">
        <span className="mt-0.5 text-accent">{isDone ? <CircleCheck size={16} aria-hidden /> : <Spinner />}</span>
        <div className="min-w-0">
          <p role="status" className="font-medium">
            {isOpened ? words.opened : words.waiting}
          </p>
          <p className="text-13 text-soft wrap-anywhere">
            <bdi>{texts.on(pick.page?.href ?? pick.href)}</bdi>
            <br />
            {isOpened ? words.until(until) : texts.until(until)}
          </p>
        </div>
      </div>
      <ol className="flex list-decimal flex-col gap-1 ps-5 text-14">
        {words.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {!isOpened && !isBlocked && address !== undefined && (
        <p className="text-14">
          <Link href={address}>{texts.open}</Link>
        </p>
      )}
      {!isOpened && (
        <Fold title={help.title}>
          <ul className="flex list-disc flex-col gap-3 ps-5 text-14">
            <li>
              <div className="flex flex-col gap-2">
                {code === undefined ? help.noCode : help.code}
                {code !== undefined && (
                  <>
                    <CodeBlock code={code} label={help.codeLabel} />
                    <p>
                      <Link href={codeAddress(pick.href)}>{help.codeLink}</Link>
                    </p>
                  </>
                )}
              </div>
            </li>
            <li>{lastHelp}</li>
          </ul>
        </Fold>
      )}
      <p className="text-13 text-soft">{closeHelp}</p>
    </div>
  );
}

/** The address and the code are only in the response that created the pick, so they are gone after a reload. */
function secretsOf({ created }: Opening, { id }: ElementPick) {
  const own = created?.pick.id === id ? created : undefined;
  return {
    address: own?.pick.address ?? undefined,
    code: own?.pick.code ?? undefined,
    isBlocked: own?.isBlocked ?? false,
  };
}
