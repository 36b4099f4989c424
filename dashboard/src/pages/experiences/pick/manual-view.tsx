import * as text from '../../../messages/text.ts';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { WordsBadge } from './candidate-list.tsx';
import { checkSelector, countCommand } from './check-selector.ts';
import { consoleCommand } from './console-command.ts';

const texts = text.pick.manual;

interface ManualViewProps {
  /** A page was opened before, and nothing came from it. */
  wasTried: boolean;
  typed: string;
  onType: (typed: string) => void;
}

/** For pages where Usher cannot start: what was tried, a command that picks without it, and a field for the selector. */
export function ManualView({ wasTried, typed, onType }: ManualViewProps) {
  const check = checkSelector(typed);
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col gap-1 text-14">
        <h3 className="font-medium">{texts.tried}</h3>
        <p className="text-soft">{wasTried ? texts.notOpened : texts.notTried}</p>
        <ul className="flex list-disc flex-col gap-1 pl-5 text-soft">
          {texts.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      </div>
      <div className="flex flex-col gap-2">
        <h3 className="text-14 font-medium">{texts.commandTitle}</h3>
        <p className="text-13 text-soft">{texts.commandHelp}</p>
        <CodeBlock code={consoleCommand} label={texts.command} />
      </div>
      <div className="flex flex-col gap-2">
        <TextField
          label={texts.selector}
          help={texts.selectorHelp}
          value={typed}
          onChange={onType}
          placeholder="#menu"
          error={check?.problem}
          autoFocus
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
