import type { Document, Translations } from '@usher/domain';
import { Languages, Monitor, Pencil, Smartphone } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Preview } from '../../../editor/preview/preview-frame.tsx';
import { languageName } from '../../../languages/language-names.ts';
import * as text from '../../../messages/text.ts';
import { useExperienceTheme } from '../../../themes/use-preview-theme.ts';
import { Segmented } from '../../../ui/segmented.tsx';
import { useScheme } from '../../../ui/theme.ts';
import { pathOfText, type TextPlace } from './texts.ts';

const SOURCE = 'default';
/** At this width, boxes are as wide as in a larger window, and their texts can be read. */
const DESKTOP_WIDTH = 640;

const widths = [
  { value: 'desktop', label: text.preview.width.desktop, icon: Monitor },
  { value: 'phone', label: text.preview.width.phone, icon: Smartphone },
] as const;

interface StepPreviewProps {
  id: string;
  document: Document;
  translations: Translations;
  languages: readonly string[];
  /** The text that has the focus. */
  focused: TextPlace | undefined;
  step: number;
  isPhone: boolean;
  onPhone: (isPhone: boolean) => void;
  /** Is called when a text is clicked, with its path and language. */
  onText: (path: string, language: string) => void;
}

/** Shows the step of the text that has the focus, in the language of the text. */
export function StepPreview(props: StepPreviewProps) {
  const { id, document, translations, languages, focused, step, isPhone, onPhone, onText } = props;
  const scheme = useScheme();
  const theme = useExperienceTheme(document.theme_id, null);
  const [chosen, setChosen] = useState<string>();
  const language = [chosen, focused?.language].find((one) => one === SOURCE || languages.includes(one ?? ''));
  const shown = language ?? languages[0] ?? SOURCE;
  const [at, setAt] = useState(step);
  const focusedLanguage = focused?.language;
  // The preview follows the text that gets the focus. Until the focus moves, the person can choose something else.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has the focus
  useEffect(() => {
    setChosen(undefined);
    setAt(step);
  }, [focusedLanguage, focused?.modelId, focused?.field, step]);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Preview
        id={id}
        experience={document}
        step={at}
        scheme={scheme}
        theme={theme}
        width={isPhone ? 'phone' : 'desktop'}
        desktopWidth={DESKTOP_WIDTH}
        language={shown === SOURCE ? null : shown}
        translations={translations}
        onText={(path) => onText(path, shown === SOURCE ? (languages[0] ?? '') : shown)}
        edited={focused && pathOfText(id, document, focused)}
        onStep={setAt}
        className="flex-1"
      />
      <div className="flex flex-wrap items-center gap-2 border-t border-line p-2">
        <Segmented
          label={text.translations.previewLanguage}
          options={[
            { value: SOURCE, label: text.languages.default, icon: Pencil },
            ...languages.map((code) => ({ value: code, label: languageName(code), icon: Languages })),
          ]}
          value={shown}
          onChange={setChosen}
        />
        <Segmented
          label={text.preview.width.label}
          options={widths}
          value={isPhone ? 'phone' : 'desktop'}
          onChange={(width) => onPhone(width === 'phone')}
        />
      </div>
    </div>
  );
}
