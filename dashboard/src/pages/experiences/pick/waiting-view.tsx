import { formatTime } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Link } from '../../../ui/link.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { Fold } from '../content/fold.tsx';
import { codeAddress } from './page-address.ts';
import type { ElementPick } from './pick-api.ts';

const texts = text.pick.waiting;
const { help, states } = text.pick;

interface WaitingViewProps {
  pick: ElementPick;
  /** What only the response that created it had: after a reload they are gone. */
  address: string | undefined;
  code: string | undefined;
  onManual: () => void;
}

/** The page is open in another tab, or should be. Says what to do there, and what to do if nothing happens. */
export function WaitingView({ pick, address, code, onManual }: WaitingViewProps) {
  const isOpened = pick.state === 'opened';
  const until = formatTime(new Date(pick.expires_at));
  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-start gap-2.5 rounded-6 bg-accent-tint px-3 py-2.5 text-14 forced-colors:border">
        <span className="mt-0.5 text-accent">
          <Spinner />
        </span>
        <div className="min-w-0">
          <p role="status" className="font-medium">
            {isOpened ? states.opened : states.waiting}
          </p>
          <p className="text-13 text-soft wrap-anywhere">
            <bdi>{texts.on(pick.page?.href ?? pick.href)}</bdi>
            <br />
            {isOpened ? texts.pickUntil(until) : texts.until(until)}
          </p>
        </div>
      </div>
      <ol className="flex list-decimal flex-col gap-1 pl-5 text-14">
        {texts.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {!isOpened && address !== undefined && (
        <p>
          <Link href={address}>{texts.open}</Link>
        </p>
      )}
      <Fold title={help.title}>
        <ul className="flex list-disc flex-col gap-3 pl-5 text-14">
          {!isOpened && <li>{help.blocked}</li>}
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
          <li>
            {help.none}{' '}
            <Button size="small" look="quiet" onPress={onManual}>
              {help.manual}
            </Button>
          </li>
        </ul>
      </Fold>
      <p className="text-13 text-soft">{texts.closeHelp}</p>
    </div>
  );
}
