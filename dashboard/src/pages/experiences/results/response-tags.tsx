import { X } from 'lucide-react';
import { useState } from 'react';
import { useSend } from '../../../api/queries.ts';
import { ErrorNotice } from '../../../app/error-notice.tsx';
import { showError } from '../../../app/show-error.ts';
import { useRequest } from '../../../app/use-request.ts';
import { formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { FormDialog } from '../../../ui/dialog.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import type { ShownResponse } from './response-row.tsx';

const texts = text.responses;
const MAX_TAG = 50;

/** Adds Tags to the selected Responses, or removes them. */
export function TagBar({ selected, onClear }: { selected: readonly ShownResponse[]; onClear: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const { mutateAsync } = useSend('PATCH /v3/edit/responses');
  const ids = selected.map(({ id }) => id);
  const used = [...new Set(selected.flatMap(({ details }) => details?.tags ?? []))].sort();
  const count = texts.selected(formatNumber(ids.length), ids.length === 1);
  return (
    <section
      aria-label={count}
      className="sticky bottom-3 z-10 flex min-h-11 flex-wrap items-center gap-2 rounded-10 bg-raised px-3 py-1.5 shadow-float"
    >
      <span aria-live="polite" className="mr-auto text-13 font-medium">
        {count}
      </span>
      <Button size="small" onPress={() => setOpen(true)}>
        {texts.addTag}
      </Button>
      {used.length > 0 && (
        <Menu
          label={texts.removeTag}
          placement="top end"
          trigger={<Button size="small">{texts.removeTag}</Button>}
          groups={[
            {
              entries: used.map((name) => ({
                id: name,
                label: name,
                onAction: () => void mutateAsync({ ids, remove_tags: [name] }).catch(showError),
              })),
            },
          ]}
        />
      )}
      <IconButton icon={X} size="small" label={texts.unselect} onPress={onClear} />
      {isOpen && <TagDialog onAdd={(name) => mutateAsync({ ids, add_tags: [name] })} onClose={() => setOpen(false)} />}
    </section>
  );
}

function TagDialog({ onAdd, onClose }: { onAdd: (name: string) => Promise<unknown>; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const name = typed.trim();
  const { submit, error, isPending } = useRequest(() => onAdd(name), onClose);
  return (
    <FormDialog
      onClose={onClose}
      title={texts.tagTitle}
      onSubmit={() => name !== '' && void submit()}
      action={texts.addTag}
      isDisabled={name === ''}
      isPending={isPending}
    >
      <ErrorNotice error={error} />
      <TextField
        label={texts.tagName}
        help={texts.tagHelp}
        value={typed}
        onChange={setTyped}
        maxLength={MAX_TAG}
        autoFocus
        autoComplete="off"
      />
    </FormDialog>
  );
}
