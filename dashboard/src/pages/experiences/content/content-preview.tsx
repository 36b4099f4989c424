import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { query } from '../../../api/queries.ts';
import { useSession } from '../../../api/session.ts';
import type { ClickedText } from '../../../editor/preview/place-card.ts';
import { PreviewBar } from '../../../editor/preview/preview-bar.tsx';
import { usePreviewChoices } from '../../../editor/preview/preview-choices.ts';
import { Preview } from '../../../editor/preview/preview-frame.tsx';
import { usePreviewPeople } from '../../../editor/preview/use-preview-people.ts';
import { usePreviewTranslations } from '../../../editor/preview/use-preview-translations.ts';
import { useSketch } from '../../../editor/preview/use-sketch.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { pathOfPlace, placeOfPath } from '../../../fields/place-of-path.ts';
import { languageName } from '../../../languages/language-names.ts';
import { useExperienceTheme } from '../../../themes/use-preview-theme.ts';
import { type EditedText, isText, TextCard, valuesOf } from './text-card.tsx';
import type { Selection } from './use-selection.ts';

/** The preview, painted by the script. A click on a text opens the field of the text over the preview. */
export function ContentPreview({ id, editor, selection }: { id: string; editor: Editor; selection: Selection }) {
  const { document } = editor;
  const { account } = useSession();
  const [choices, change] = usePreviewChoices(account.id);
  const { people, profile } = usePreviewPeople(choices.profileId);
  const languages = useQuery(query('GET /v3/edit/languages', { limit: 500 })).data?.languages ?? [];
  // A language may have been removed since it was chosen.
  const language = languages.some(({ code }) => code === choices.language) ? choices.language : null;
  const theme = useExperienceTheme(document.theme_id, profile);
  const translations = usePreviewTranslations(document.kind, id, language);
  const index = document.steps.findIndex((step) => step.id === selection.selected);
  const sketch = useSketch(document, id, document.steps[Math.max(index, 0)]);
  const room = useRef<HTMLDivElement>(null);
  const [edited, setEdited] = useState<EditedText>();
  // Closes the card if somebody else has removed the part of the text.
  if (edited && !valuesOf(document, edited)) setEdited(undefined);
  const editText = (path: string, clicked: ClickedText) => {
    const { of, field } = placeOfPath(document, path);
    // The texts of a question are edited together with its other fields.
    if (field?.startsWith('question')) return selection.goTo(of, field);
    if (!isText(document, of, field)) return;
    // Translations have no fields here, so the inspector shows the source text.
    if (editor.isReadOnly || language !== null) return selection.goTo(of, field);
    selection.goTo(of);
    setEdited({ ...clicked, of, field });
  };
  const close = (isByKey: boolean) => {
    setEdited(undefined);
    if (isByKey) room.current?.querySelector('iframe')?.focus({ preventScroll: true });
  };
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div ref={room} className="relative flex min-h-80 flex-1">
        <Preview
          id={id}
          experience={document}
          step={Math.max(index, 0)}
          scheme={choices.scheme}
          theme={theme}
          width={choices.width}
          language={language}
          translations={translations}
          profile={profile}
          sketch={sketch}
          isTrying={choices.mode === 'try'}
          onText={editText}
          edited={edited && pathOfPlace(document, edited.of, edited.field)}
          onStep={(step) => {
            const shown = document.steps[step];
            if (shown) selection.select(shown.id);
          }}
          className="flex-1"
        />
        {edited && (
          <TextCard key={`${edited.of} ${edited.field}`} editor={editor} edited={edited} room={room} onClose={close} />
        )}
      </div>
      <div className="border-t border-line p-2">
        <PreviewBar
          choices={choices}
          onChange={change}
          languages={languages.map(({ code }) => ({ code, name: languageName(code) }))}
          people={people}
          isReadOnly={editor.isReadOnly}
        />
      </div>
    </div>
  );
}
