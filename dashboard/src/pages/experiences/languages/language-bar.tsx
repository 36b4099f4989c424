import type { ReactNode } from 'react';
import { SavedState } from '../../../editor/saved-state.tsx';
import { UndoButtons } from '../../../editor/undo-buttons.tsx';
import { languageName } from '../../../languages/language-names.ts';
import { formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { Select } from '../../../ui/select.tsx';
import type { SourceText } from './texts.ts';
import type { ChosenLanguages } from './use-languages-in-address.ts';
import type { TranslationsEditor } from './use-translations.ts';
import { matchesFilter, type TextFilter } from './visible-texts.ts';

const texts = text.translations;
const NONE = 'none';

interface LanguageBarProps {
  editor: TranslationsEditor;
  chosen: ChosenLanguages;
  isLong: (text: SourceText, language: string) => boolean;
  add: ReactNode;
}

/** Which languages and texts are listed, and whether everything is saved. */
export function LanguageBar({ editor: { store, state }, chosen, isLong, add }: LanguageBarProps) {
  const { shown, history, edits, saved } = state;
  const { languages, filter } = chosen;
  const [first = '', second = NONE] = languages;
  const all = shown.steps.flatMap((step) => step.texts);
  const filterName = (one: TextFilter) => {
    if (one === 'all') return texts.filters.all;
    const count = all.filter((source) => matchesFilter(source, one, languages, isLong)).length;
    return texts.counted(texts.filters[one], formatNumber(count));
  };
  const options = shown.languages.map(({ code }) => ({ value: code, label: languageName(code), description: code }));
  return (
    <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
      <Select
        label={texts.choose.label}
        options={options}
        value={first}
        onChange={chosen.choose}
        className="w-44 max-sm:flex-1"
      />
      {shown.languages.length > 1 && (
        <Select
          label={texts.choose.second}
          options={[{ value: NONE, label: texts.choose.none }, ...options.filter(({ value }) => value !== first)]}
          value={second}
          onChange={(code) => chosen.chooseSecond(code === NONE ? '' : code)}
          className="w-44 max-sm:flex-1"
        />
      )}
      <Select
        label={texts.show}
        options={(['all', 'missing', 'review', 'long'] as const).map((value) => ({
          value,
          label: filterName(value),
        }))}
        value={filter}
        onChange={chosen.setFilter}
        className="w-40 max-sm:flex-1"
      />
      {add}
      <div className="ml-auto flex items-center gap-1">
        <SavedState saved={saved} hasClash={[...edits.values()].some(({ theirs }) => theirs)} />
        <UndoButtons
          canUndo={history.past.length > 0}
          canRedo={history.future.length > 0}
          undo={store.undo}
          redo={store.redo}
        />
      </div>
    </div>
  );
}
