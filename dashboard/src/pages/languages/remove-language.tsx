import { ApiError } from '../../api/errors.ts';
import { useSend } from '../../api/queries.ts';
import { showError } from '../../app/show-error.ts';
import { showUndo } from '../../app/show-undo.ts';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { showToast } from '../../ui/toast.tsx';
import type { LanguageRow } from './language-table.tsx';

const languages = text.languages;

/** Removes a language without texts, which can be undone. A language with texts is passed to `confirm` first. */
export function useRemoveLanguage(confirm: (language: LanguageRow) => void): (language: LanguageRow) => void {
  const remove = useSend('DELETE /v3/edit/languages/{id}', ['i18n', 'translations', 'kinds']);
  const restore = useSend('POST /v3/edit/languages', ['i18n', 'translations', 'kinds']);
  return (language) => {
    if (language.translated_count > 0) {
      confirm(language);
      return;
    }
    remove.mutate(
      { id: language.id },
      {
        onSuccess: () =>
          showUndo({
            title: languages.removed(language.name),
            about: [`languages/${language.id}`],
            undo: async () => {
              await restore.mutateAsync({ code: language.code });
              showToast({ title: languages.added(language.name) });
            },
          }),
        // Somebody has translated something meanwhile.
        onError: (error) => (error instanceof ApiError && error.status === 409 ? confirm(language) : showError(error)),
      },
    );
  };
}

/** Translations cannot be restored, so the name must be typed. */
export function RemoveLanguageDialog({
  language,
  onClose,
}: {
  language: LanguageRow | undefined;
  onClose: () => void;
}) {
  const remove = useSend('DELETE /v3/edit/languages/{id}', ['i18n', 'translations', 'kinds']);
  const name = language?.name ?? '';
  const submit = () =>
    language &&
    remove.mutate(
      { id: language.id, cascade: 'translations' },
      {
        onSuccess: () => {
          onClose();
          showToast({ title: languages.removed(name) });
        },
        onError: showError,
      },
    );
  return (
    <ConfirmDialog
      isOpen={language !== undefined}
      onClose={onClose}
      title={languages.confirm.title(name)}
      description={languages.confirm.description(formatNumber(language?.translated_count ?? 0))}
      phrase={name}
      action={languages.confirm.action}
      onConfirm={submit}
      isPending={remove.isPending}
    />
  );
}
