import type { Document } from '@usher/domain';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useSession } from '../../../api/session.ts';
import { toTranslations } from '../../../editor/preview/translated-texts.ts';
import { useUndoKeys } from '../../../editor/use-undo-keys.ts';
import * as text from '../../../messages/text.ts';
import { LanguageBar } from './language-bar.tsx';
import { MeasureTexts } from './measure-texts.tsx';
import { StepPreview } from './step-preview.tsx';
import { TextTable } from './text-table.tsx';
import { keyOf, pathOfText, placeIn, type SourceText, stepOfText, type TextPlace, textAtPath } from './texts.ts';
import type { ChosenLanguages } from './use-languages-in-address.ts';
import { useOverflow } from './use-overflow.ts';
import type { TranslationsEditor } from './use-translations.ts';

interface TranslateExperienceProps {
  id: string;
  document: Document;
  editor: TranslationsEditor;
  chosen: ChosenLanguages;
  /** The button that adds a language. */
  add: ReactNode;
}

/** The table of texts, and beside it a preview of the step whose text has the focus. */
export function TranslateExperience({ id, document, editor, chosen, add }: TranslateExperienceProps) {
  const { store, state } = editor;
  const { can } = useSession();
  const [focused, setFocused] = useState<TextPlace>();
  // On a phone, the texts of a desktop preview would be too small.
  const [isPhone, setPhone] = useState(() => matchMedia('(width < 40rem)').matches);
  const wanted = useRef<TextPlace>(undefined);
  const translations = useMemo(() => withEdits(state), [state]);
  const overflow = useOverflow();
  useUndoKeys(store);
  const isLong = (one: SourceText, language: string) => {
    const path = pathOfText(id, document, placeIn(language, one));
    return path !== undefined && overflow.has(language, path);
  };
  const show = (place: TextPlace) => {
    wanted.current = place;
    if (!focusText(place)) chosen.setFilter('all');
    else wanted.current = undefined;
  };
  // The row of this text may not have been listed before.
  useEffect(() => {
    if (wanted.current && focusText(wanted.current)) wanted.current = undefined;
  });
  const { moved } = state;
  const count = moved?.count;
  // biome-ignore lint/correctness/useExhaustiveDependencies: undo shows what it has changed, once
  useEffect(() => {
    if (moved) show(moved.place);
  }, [count]);
  const step = focused ? stepOfText(document, focused) : 0;
  const shown = { id, document, translations, step, isPhone };
  return (
    <>
      <LanguageBar editor={editor} chosen={chosen} isLong={isLong} add={add} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(22rem,2fr)]">
        <TextTable
          editor={editor}
          chosen={chosen}
          document={document}
          isLong={isLong}
          isReadOnly={!can('translate')}
          onFocus={setFocused}
        />
        <section
          aria-label={text.translations.preview}
          className="h-112 overflow-hidden rounded-10 border border-line bg-surface max-lg:-order-1 lg:sticky lg:top-40 lg:h-[min(40rem,calc(100dvh-18.5rem))]"
        >
          <StepPreview
            {...shown}
            languages={chosen.languages}
            focused={focused}
            onPhone={setPhone}
            onText={(path, language) => {
              const found = textAtPath(id, document, path);
              if (found) show({ ...found, language });
            }}
          />
        </section>
      </div>
      {chosen.languages.map((language) => (
        <MeasureTexts
          key={`${language} ${isPhone}`}
          {...shown}
          language={language}
          onMeasured={(at, paths) => overflow.record(language, at, paths)}
        />
      ))}
    </>
  );
}

/** The translations with unsaved edits, so that the preview shows them before they are saved. */
function withEdits({ shown, edits }: TranslationsEditor['state']): ReturnType<typeof toTranslations> {
  const translations = toTranslations(shown.steps);
  for (const { place, text: typed } of edits.values()) {
    const { language, modelId, field } = place;
    const { [field]: _, ...others } = translations[language]?.[modelId] ?? {};
    const texts = typed.trim() === '' ? others : { ...others, [field]: typed };
    translations[language] = { ...translations[language], [modelId]: texts };
  }
  return translations;
}

/** Puts the focus into the field of a text. Returns false if the text is not listed. */
function focusText(place: TextPlace): boolean {
  const field = globalThis.document.querySelector<HTMLElement>(`[data-text="${CSS.escape(keyOf(place))}"]`);
  field?.focus();
  field?.scrollIntoView({ block: 'nearest' });
  return field !== null;
}
