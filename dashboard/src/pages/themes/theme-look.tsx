import { stylesOf, themeGroups } from '@usher/domain/themes';
import { Suspense } from 'react';
import { useSession } from '../../api/session.ts';
import { lazyComponent } from '../../app/lazy-component.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Fold } from '../../ui/fold.tsx';
import { TextArea } from '../../ui/text-field.tsx';
import { StyleFields } from './style-fields.tsx';
import type { ThemeEditor } from './use-theme-editor.ts';

const texts = text.themes;
const TakeFromPage = lazyComponent(() =>
  import('../../themes/take-from-page.tsx').then((module) => module.TakeFromPage),
);
const MAX_CSS = 20_000;

/** The fields of a theme in their groups, and its own style sheet. */
export function ThemeLook({ editor }: { editor: ThemeEditor }) {
  const { id, theme, isReadOnly, problems, set } = editor;
  return (
    <>
      {!isReadOnly && (
        <Suspense fallback={<Button isDisabled>{text.takeFromPage.open}</Button>}>
          <TakeFromPage themeId={id} onPropose={set} />
        </Suspense>
      )}
      <p className="text-13 text-soft">{texts.asPageHelp}</p>
      {themeGroups.map((group, at) => (
        <Fold key={group} title={texts.groups[group]} isOpen={at < 1}>
          <StyleFields
            group={group}
            styles={stylesOf(theme)}
            isReadOnly={isReadOnly}
            problems={problems}
            onChange={set}
          />
        </Fold>
      ))}
      <OwnCss editor={editor} />
    </>
  );
}

function OwnCss({ editor: { theme, isReadOnly, problems, set } }: { editor: ThemeEditor }) {
  const { can } = useSession();
  const [problem] = problems.filter(({ path }) => path === 'css');
  return (
    <Fold title={texts.css} isOpen={problem !== undefined}>
      <TextArea
        label={texts.css}
        help={can('own') ? texts.cssHelp : texts.cssOwners}
        rows={10}
        isReadOnly={isReadOnly || !can('own')}
        maxLength={MAX_CSS}
        spellCheck="false"
        value={theme.css ?? ''}
        onChange={(css) => set({ css: css.trim() === '' ? null : css })}
        error={problem?.message.replaceAll('`', '')}
        className="[&_textarea]:font-mono [&_textarea]:text-13"
      />
    </Fold>
  );
}
