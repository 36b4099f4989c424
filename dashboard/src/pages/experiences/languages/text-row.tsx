import { EyeOff } from 'lucide-react';
import { useId } from 'react';
import { languageDirection, languageName } from '../../../languages/language-names.ts';
import * as text from '../../../messages/text.ts';
import { Badge } from '../../../ui/badge.tsx';
import { textName } from './text-names.ts';
import { placeIn, type SourceText, type StepTexts, splitTags } from './texts.ts';
import { TranslationField } from './translation-field.tsx';
import type { TranslationsEditor } from './use-translations.ts';

const texts = text.translations;

interface TextRowProps {
  source: SourceText;
  step: StepTexts;
  stepName: string;
  editor: TranslationsEditor;
  languages: readonly string[];
  isLong: (text: SourceText, language: string) => boolean;
  isReadOnly: boolean;
}

/** One source text, and its field in each language. */
export function TextRow({ source, step, stepName, editor, languages, isLong, isReadOnly }: TextRowProps) {
  const sourceId = useId();
  const name = textName(step, source);
  return (
    <tr className="border-b border-line align-top max-md:block">
      <th scope="row" className="px-3 py-2 font-normal max-md:block">
        <span className="mb-0.5 flex flex-wrap items-center gap-2 text-12 text-soft">
          {name}
          {!source.is_shown && <Badge icon={EyeOff}>{texts.notShown}</Badge>}
        </span>
        <p id={sourceId} dir="auto" className="w-full text-14 whitespace-pre-wrap wrap-anywhere">
          <MarkedTags text={source.text} />
        </p>
      </th>
      {languages.map((language) => (
        <td key={language} className="px-3 py-2 max-md:block max-md:pt-0 md:border-l md:border-line">
          <TranslationField
            label={texts.fieldName(languageName(language), name, stepName)}
            describedBy={sourceId}
            source={source}
            place={placeIn(language, source)}
            direction={languageDirection(language)}
            editor={editor}
            isLong={isLong(source, language)}
            isReadOnly={isReadOnly}
          />
        </td>
      ))}
    </tr>
  );
}

/** Merge tags are easily translated by mistake, so they look different from the words around them. */
function MarkedTags({ text: marked }: { text: string }) {
  return splitTags(marked).map(({ text: part, isTag }, at) =>
    isTag ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the same tag can be there twice
      <code key={at} dir="ltr" className="rounded-4 bg-accent-tint px-1 py-px text-13 text-accent">
        {part}
      </code>
    ) : (
      part
    ),
  );
}
