import { formatTimeOfDay } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { useInstalled } from '../../../picks/page-view.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Link } from '../../../ui/link.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { WordsBadge } from './candidate-list.tsx';
import { checkSelector, countCommand } from './check-selector.ts';
import { consoleCommand } from './console-command.ts';

const texts = text.pick.manual;

interface ManualViewProps {
  /** The page that was opened, if one was. */
  tried: { href: string; at: Date } | undefined;
  typed: string;
  onType: (typed: string) => void;
}

/** For pages where Usher cannot start: what was tried, a command that picks without it, and a field for the selector. */
export function ManualView({ tried, typed, onType }: ManualViewProps) {
  const check = checkSelector(typed);
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col gap-1 text-14">
        <h3 className="font-medium">{texts.tried}</h3>
        {tried ? <Tried {...tried} /> : <p className="text-soft">{texts.notTried}</p>}
      </div>
      <div className="flex flex-col gap-1 text-14">
        <h3 className="font-medium">{texts.why}</h3>
        <ul className="flex list-disc flex-col gap-1 ps-5 text-soft">
          {texts.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      </div>
      <div className="flex flex-col gap-2">
        <h3 className="text-14 font-medium">{texts.commandTitle}</h3>
        <p className="text-13 text-soft">{texts.commandHelp}</p>
        <CodeBlock code={consoleCommand} label={texts.command} />
        <p className="text-13 text-soft">{texts.commandLimits}</p>
      </div>
      <div className="flex flex-col gap-2">
        <TextField
          label={texts.selector}
          help={texts.selectorHelp}
          value={typed}
          onChange={onType}
          placeholder="#menu"
          error={check?.problem}
        />
        <div role="status" className="flex flex-wrap items-center gap-x-2 gap-y-1 text-13 text-soft empty:hidden">
          {check?.problem === undefined && check && (
            <>
              <WordsBadge words={check.words} />
              {check.words.help}
            </>
          )}
        </div>
        {check && check.problem === undefined && <CodeBlock code={countCommand(typed)} label={texts.countTitle} />}
      </div>
    </div>
  );
}

/** Shows which page was opened, and what the server has seen of its host. */
function Tried({ href, at }: { href: string; at: Date }) {
  const { hostname } = new URL(href);
  const installation = useInstalled();
  const seen = installation?.hosts.find(({ host }) => host === hostname)?.last_seen_at;
  return (
    <ul className="flex list-disc flex-col gap-1 ps-5 text-soft wrap-anywhere">
      <li>
        <bdi>{texts.opened(href, formatTimeOfDay(at))}</bdi>
      </li>
      <li>{texts.noAnswer}</li>
      {installation && (
        <li>
          {seen ? (
            <>
              {texts.seen(hostname)} <RelativeTime time={seen} />
            </>
          ) : (
            <>
              {texts.neverSeen(hostname)} <Link href="/app/settings/install">{texts.install}</Link>
            </>
          )}
        </li>
      )}
    </ul>
  );
}
