import type { ThemeStyles } from '@usher/domain/themes';
import * as text from '../../messages/text.ts';
import { Notice } from '../../ui/notice.tsx';
import { FixButton } from './style-fields.tsx';
import type { ThemeEditor, ThemeProblem } from './use-theme-editor.ts';

/** What keeps the theme from being published, each with the nearest color that has enough contrast. */
export function ProblemList({ editor }: { editor: ThemeEditor }) {
  const { problems, isReadOnly } = editor;
  if (problems.length === 0) return null;
  return (
    <Notice kind="warning" title={text.themes.problems(problems.length)}>
      <ul className="flex flex-col gap-2">
        {problems.map((problem) => (
          <li key={problem.message} className="flex flex-col gap-1 text-13">
            <span className="wrap-anywhere">{problem.message.split(': the nearest')[0]?.replaceAll('`', '')}</span>
            {!isReadOnly && <FixButton problem={problem} onFix={(values) => fix(editor, problem, values)} />}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** Sets the color where the problem is: in the theme, or in a variation. */
function fix({ theme, set }: ThemeEditor, { path }: ThemeProblem, values: ThemeStyles): void {
  const [, at] = /^variations\.(\d+)\./.exec(path) ?? [];
  if (at === undefined) set(values);
  else
    set({
      variations: theme.variations.map((one, index) =>
        index === Number(at) ? { ...one, overrides: { ...one.overrides, ...(values as Record<string, string>) } } : one,
      ),
    });
}
