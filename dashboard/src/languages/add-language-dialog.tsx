import { useState } from 'react';
import { fieldErrors } from '../api/describe-error.ts';
import { useSend } from '../api/queries.ts';
import { ErrorNotice } from '../app/error-notice.tsx';
import * as text from '../messages/text.ts';
import { ComboBox } from '../ui/combo-box.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { showToast } from '../ui/toast.tsx';
import { codeOf, languageName, languageOptions } from './language-names.ts';

const languages = text.languages;

interface AddLanguageDialogProps {
  onClose: () => void;
  /** The codes of the languages that the account has already. */
  taken: readonly string[];
  onAdded?: (code: string) => void;
}

export function AddLanguageDialog({ onClose, taken, onAdded }: AddLanguageDialogProps) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const add = useSend('POST /v3/edit/languages', ['i18n', 'translations', 'kinds']);
  const options = languageOptions(taken);
  const submit = () =>
    add.mutate(
      { code: codeOf(typed, options) },
      {
        onSuccess: ({ language }) => {
          onClose();
          onAdded?.(language.code);
          showToast({ title: languages.added(languageName(language.code)) });
        },
      },
    );
  const wrong = fieldErrors(add.error, { code: languages.field });
  return (
    <FormDialog
      onClose={onClose}
      keepsOpen
      title={languages.add}
      onSubmit={submit}
      action={languages.add}
      isPending={add.isPending}
      isDisabled={typed.trim() === ''}
    >
      {wrong.code === undefined && <ErrorNotice error={add.error} />}
      <ComboBox
        label={languages.field}
        help={languages.addHelp}
        error={wrong.code}
        options={options}
        value={chosen}
        onChange={(code) => {
          setChosen(code);
          if (code !== null) setTyped(languageName(code));
        }}
        inputValue={typed}
        onInputChange={setTyped}
        allowsCustomValue
        autoFocus
      />
    </FormDialog>
  );
}
