import { useRequest } from '../../app/use-request.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { UnusedEntry } from './unused-list.tsx';
import type { DeletableKind } from './use-clean-up.ts';

const texts = text.cleanUp.confirm;
/** More names are too much to read. */
const MAX_NAMES = 10;

interface DeleteUnusedDialogProps {
  kind: DeletableKind;
  rows: readonly UnusedEntry[];
  onClose: () => void;
  onDelete: () => Promise<unknown>;
}

/** Says what goes, by name. */
export function DeleteUnusedDialog({ kind, rows, onClose, onDelete }: DeleteUnusedDialogProps) {
  const { submit, isPending } = useRequest(onDelete, () => undefined);
  const others = rows.length - MAX_NAMES;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      role="alertdialog"
      title={texts.title(kind, rows.length)}
      description={texts.text}
      buttons={
        <>
          <Button onPress={onClose}>{texts.cancel}</Button>
          <Button look="danger" isPending={isPending} onPress={() => void submit()}>
            {texts.delete(kind, rows.length)}
          </Button>
        </>
      }
    >
      <ul className="flex list-disc flex-col gap-1 pl-5">
        {rows.slice(0, MAX_NAMES).map(({ id, name }) => (
          <li key={id} className="wrap-anywhere">
            <bdi>{name}</bdi>
          </li>
        ))}
        {others > 0 && <li>{texts.more(others)}</li>}
      </ul>
      <p className="text-soft">{texts.what[kind]}</p>
    </Dialog>
  );
}
