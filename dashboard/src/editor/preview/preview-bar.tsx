import { Eye, Monitor, Moon, MousePointerClick, Smartphone, Sun, TextCursor } from 'lucide-react';
import * as text from '../../messages/text.ts';
import { ComboBox } from '../../ui/combo-box.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import type { PreviewChoices } from './preview-choices.ts';

interface PreviewBarProps {
  choices: PreviewChoices;
  onChange: (change: Partial<PreviewChoices>) => void;
  /** The languages of the account besides the source language. */
  languages: readonly { code: string }[];
  /** The users to choose from. */
  people: readonly { id: string; name: string }[];
  /** Whether the person may only look. Then a click on a text shows its field. */
  isReadOnly?: boolean;
}

const SOURCE = 'default';
const NOBODY = 'nobody';
const { mode, scheme, width, language, person } = text.preview;

const tryMode = { value: 'try', label: mode.try, icon: MousePointerClick } as const;
const modes = [{ value: 'edit', label: mode.edit, icon: TextCursor }, tryMode] as const;
const readOnlyModes = [{ value: 'edit', label: mode.look, icon: Eye }, tryMode] as const;
const schemes = [
  { value: 'light', label: scheme.light, icon: Sun },
  { value: 'dark', label: scheme.dark, icon: Moon },
] as const;
const widths = [
  { value: 'desktop', label: width.desktop, icon: Monitor },
  { value: 'phone', label: width.phone, icon: Smartphone },
] as const;

/** Chooses how the preview shows the Experience. Nothing here changes the Experience itself. */
export function PreviewBar({ choices, onChange, languages, people, isReadOnly = false }: PreviewBarProps) {
  // A language may have been removed since it was chosen.
  const code = languages.some((one) => one.code === choices.language) ? choices.language : SOURCE;
  return (
    <div role="toolbar" aria-label={text.preview.bar} className="flex flex-wrap items-center gap-2">
      <Segmented
        label={mode.label}
        options={isReadOnly ? readOnlyModes : modes}
        value={choices.mode}
        onChange={(one) => onChange({ mode: one })}
      />
      <WindowChoices choices={choices} onChange={onChange} />
      {languages.length > 0 && (
        <Select
          label={language.label}
          options={[
            { value: SOURCE, label: language.source },
            ...languages.map((one) => ({ value: one.code, label: nameOf(one.code) })),
          ]}
          value={code}
          onChange={(one) => onChange({ language: one === SOURCE ? null : one })}
          className="min-w-44 flex-1 sm:max-w-44 [&>:first-child]:sr-only"
        />
      )}
      <PersonChoice choices={choices} onChange={onChange} people={people} />
    </div>
  );
}

type ChoiceProps = Pick<PreviewBarProps, 'choices' | 'onChange'>;

/** The colors and the width of the window. */
export function WindowChoices({ choices, onChange }: ChoiceProps) {
  return (
    <>
      <Segmented
        label={scheme.label}
        options={schemes}
        value={choices.scheme}
        onChange={(one) => onChange({ scheme: one })}
      />
      <Segmented
        label={width.label}
        options={widths}
        value={choices.width}
        onChange={(one) => onChange({ width: one })}
      />
    </>
  );
}

/** The user for whom the preview is painted. */
export function PersonChoice({ choices, onChange, people }: ChoiceProps & Pick<PreviewBarProps, 'people'>) {
  return (
    <ComboBox
      label={person.label}
      placeholder={person.search}
      options={[{ value: NOBODY, label: person.nobody }, ...people.map((one) => ({ value: one.id, label: one.name }))]}
      value={choices.profileId ?? NOBODY}
      onChange={(one) => onChange({ profileId: one === NOBODY ? null : one })}
      className="min-w-40 flex-1 sm:min-w-52 sm:max-w-60 [&>:first-child]:sr-only"
    />
  );
}

/** The name of a language in the language of the dashboard. */
function nameOf(code: string): string {
  try {
    return new Intl.DisplayNames(['en'], { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}
