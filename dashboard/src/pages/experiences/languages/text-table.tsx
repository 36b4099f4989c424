import type { Document } from '@usher/domain';
import { type FocusEvent, useRef } from 'react';
import { languageName, ownLanguageName } from '../../../languages/language-names.ts';
import { type Counts, ProgressBar } from '../../../languages/progress-bar.tsx';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Drawing } from '../../../ui/drawing.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Keys } from '../../../ui/keys.tsx';
import { onFieldKey } from './field-keys.ts';
import { stepName } from './text-names.ts';
import { TextRow } from './text-row.tsx';
import { keyOf, placeIn, type SourceText, type TextPlace } from './texts.ts';
import type { ChosenLanguages } from './use-languages-in-address.ts';
import type { TranslationsEditor } from './use-translations.ts';
import { filterSteps, matchesFilter } from './visible-texts.ts';

const texts = text.translations;

interface TextTableProps {
  editor: TranslationsEditor;
  chosen: ChosenLanguages;
  document: Document;
  isLong: (text: SourceText, language: string) => boolean;
  isReadOnly: boolean;
  onFocus: (place: TextPlace) => void;
}

/** The texts step by step, with a field for each language. Enter and the arrow keys go from one text to the next. */
export function TextTable({ editor, chosen, document, isLong, isReadOnly, onFocus }: TextTableProps) {
  const { shown } = editor.state;
  const { languages, filter } = chosen;
  const isListed = useListed(`${filter} ${languages}`, (one) => matchesFilter(one, filter, languages, isLong));
  const steps = filterSteps(shown.steps, isListed);
  const save = () => void editor.store.save();
  const focus = ({ target }: FocusEvent<HTMLElement>) => {
    const key = target.closest<HTMLElement>('[data-text]')?.dataset.text;
    if (key === undefined) return;
    const places = shown.steps.flatMap((step) =>
      step.texts.flatMap((one) => languages.map((code) => placeIn(code, one))),
    );
    const place = places.find((one) => keyOf(one) === key);
    if (place) onFocus(place);
  };
  if (steps.length === 0)
    return <NothingListed chosen={chosen} hasTexts={shown.steps.some((step) => step.texts.length > 0)} />;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="overflow-clip rounded-10 border border-line bg-surface">
        <table
          aria-label={texts.table}
          onKeyDown={(event) => onFieldKey(event, save)}
          onFocus={focus}
          onBlur={save}
          className="w-full table-fixed text-left max-md:block"
        >
          <thead className="border-b border-line bg-ground text-12 text-soft max-md:block">
            <tr className="max-md:block">
              <th className="px-3 py-2 font-medium max-md:sr-only">{texts.source}</th>
              {languages.map((code) => (
                <LanguageHeading key={code} code={code} counts={shown.languages.find((one) => one.code === code)} />
              ))}
            </tr>
          </thead>
          {steps.map(({ step, number, texts: listed }) => (
            <tbody key={step.id} className="max-md:block">
              <tr className="border-b border-line bg-ground max-md:block">
                <th
                  colSpan={languages.length + 1}
                  scope="rowgroup"
                  className="px-3 py-1.5 text-13 font-semibold wrap-anywhere max-md:block"
                >
                  {stepName(document.kind, step, number)}
                </th>
              </tr>
              {listed.map((one) => (
                <TextRow
                  key={`${one.model_id} ${one.field}`}
                  source={one}
                  step={step}
                  stepName={stepName(document.kind, step, number)}
                  editor={editor}
                  languages={languages}
                  isLong={isLong}
                  isReadOnly={isReadOnly}
                />
              ))}
            </tbody>
          ))}
        </table>
      </div>
      {!isReadOnly && <KeyHelp />}
    </div>
  );
}

/** The name of a language, and its progress in this Experience. */
function LanguageHeading({ code, counts }: { code: string; counts: Counts | undefined }) {
  return (
    <th className="px-3 py-2 font-medium max-md:block">
      <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <span>
          {languageName(code)}
          <span lang={code} className="ml-1.5 font-normal text-faint">
            {ownLanguageName(code)}
          </span>
        </span>
        {counts && (
          <span className="font-normal">
            <ProgressBar name={languageName(code)} counts={counts} width={56} />
          </span>
        )}
      </span>
    </th>
  );
}

/** A listed text stays in the list while the same filter is on: it must not disappear when it is translated. */
function useListed(key: string, matches: (text: SourceText) => boolean): (text: SourceText) => boolean {
  const kept = useRef({ key, ids: new Set<string>() });
  if (kept.current.key !== key) kept.current = { key, ids: new Set() };
  const { ids } = kept.current;
  return (one) => {
    const id = `${one.model_id} ${one.field}`;
    if (matches(one)) ids.add(id);
    return ids.has(id);
  };
}

function KeyHelp() {
  const keys = [
    ['enter', texts.keys.next],
    ['shift+enter', texts.keys.line],
    ['alt+↓', texts.keys.missing],
  ] as const;
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 px-1 text-12 text-soft max-md:hidden">
      {keys.map(([key, name]) => (
        <span key={key} className="flex items-center gap-1.5">
          <Keys keys={key} /> {name}
        </span>
      ))}
      <span>{texts.publishNote}</span>
    </p>
  );
}

function NothingListed({ chosen, hasTexts }: { chosen: ChosenLanguages; hasTexts: boolean }) {
  const { filter, setFilter } = chosen;
  if (!hasTexts || filter === 'all')
    return (
      <EmptyState picture={<Drawing of="languages" />} title={texts.noTexts.title}>
        {texts.noTexts.text}
      </EmptyState>
    );
  return (
    <EmptyState
      title={texts.nothing[filter]}
      action={<Button onPress={() => setFilter('all')}>{texts.nothing.action}</Button>}
    >
      {texts.nothing.text}
    </EmptyState>
  );
}
