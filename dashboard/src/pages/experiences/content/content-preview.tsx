import { useQuery } from '@tanstack/react-query';
import { query } from '../../../api/queries.ts';
import { useSession } from '../../../api/session.ts';
import { PreviewBar } from '../../../editor/preview/preview-bar.tsx';
import { usePreviewChoices } from '../../../editor/preview/preview-choices.ts';
import { Preview } from '../../../editor/preview/preview-frame.tsx';
import { usePreviewPeople } from '../../../editor/preview/use-preview-people.ts';
import { usePreviewTranslations } from '../../../editor/preview/use-preview-translations.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { languageName } from '../../settings/language-names.ts';
import { placeOfPath } from './problem-list.tsx';
import type { Selection } from './use-selection.ts';

/** What users see, as the script paints it. A click on a text goes to its field. */
export function ContentPreview({ id, editor, selection }: { id: string; editor: Editor; selection: Selection }) {
  const { document } = editor;
  const { account } = useSession();
  const [choices, change] = usePreviewChoices(account.id);
  const { people, profile } = usePreviewPeople(choices.profileId);
  const languages = useQuery(query('GET /v3/edit/languages', { limit: 500 })).data?.languages ?? [];
  // A language may have been removed since it was chosen.
  const language = languages.some(({ code }) => code === choices.language) ? choices.language : null;
  const translations = usePreviewTranslations(document.kind, id, language);
  const index = document.steps.findIndex((step) => step.id === selection.selected);
  const goToText = (path: string) => {
    const { of, field } = placeOfPath(document, path);
    selection.goTo(of, field);
  };
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Preview
        id={id}
        experience={document}
        step={Math.max(index, 0)}
        scheme={choices.scheme}
        width={choices.width}
        language={language}
        translations={translations}
        profile={profile}
        isTrying={choices.mode === 'try'}
        onText={goToText}
        onStep={(step) => {
          const shown = document.steps[step];
          if (shown) selection.select(shown.id);
        }}
        className="min-h-80 flex-1"
      />
      <div className="border-t border-line p-2">
        <PreviewBar
          choices={choices}
          onChange={change}
          languages={languages.map(({ code }) => ({ code, name: languageName(code) }))}
          people={people}
        />
      </div>
    </div>
  );
}
