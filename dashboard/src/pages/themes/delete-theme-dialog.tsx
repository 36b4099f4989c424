import { useQuery } from '@tanstack/react-query';
import type { Theme } from '@usher/domain';
import { useState } from 'react';
import { query, useSend } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { readThemes, themesQuery } from '../../themes/themes-query.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { showToast } from '../../ui/toast.tsx';

const texts = text.themes.deleteDialog;
const NONE = 'none';
const MAX_COUNTED = 500;

/** Asks which theme the Experiences get instead, if any have this one. Of the default theme, it becomes the default. */
export function DeleteThemeDialog(props: { theme: Theme; onClose: () => void; onDeleted?: () => void }) {
  const { theme, onClose, onDeleted } = props;
  // The choice is made for all Experiences without a theme, so there is no answer before it is given.
  const [replacement, setReplacement] = useState(theme.default ? null : NONE);
  const remove = useSend('DELETE /v3/edit/themes/{id}', ['experiences', 'kinds']);
  const uses = useQuery(query('GET /v3/edit/themes/{id}/experiences', { id: theme.id, limit: MAX_COUNTED }));
  const themes = readThemes(useQuery(themesQuery).data) ?? [];
  // With a theme that is not published, users would lose the look of this one.
  const others = themes.filter((one) => one.id !== theme.id && one.published_at !== null);
  const standard = themes.find((one) => one.default && one.id !== theme.id);
  const count = uses.data?.experiences.length ?? 0;
  const submit = () =>
    remove.mutate(
      { id: theme.id, replacement_id: replacement === NONE ? null : replacement },
      {
        onSuccess: () => {
          showToast({ title: text.themes.done.removed(theme.name) });
          onClose();
          onDeleted?.();
        },
      },
    );
  return (
    <FormDialog
      title={texts.title(theme.name)}
      description={count === 0 ? texts.unused : texts.used(count, formatNumber(count))}
      action={texts.action}
      onClose={onClose}
      onSubmit={submit}
      isPending={remove.isPending}
      isDisabled={!uses.data || (count > 0 && replacement === null)}
      focusesAction={count === 0}
    >
      <ErrorNotice error={remove.error ?? uses.error} />
      {theme.default && count > 0 && <p className="text-14">{texts.isDefault}</p>}
      {count > 0 && (
        <Select
          label={texts.replacement}
          options={[
            { value: NONE, label: theme.default ? texts.noDefault : texts.replacementDefault(standard?.name) },
            ...others.filter(({ id }) => id !== standard?.id).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={replacement}
          onChange={setReplacement}
        />
      )}
    </FormDialog>
  );
}
